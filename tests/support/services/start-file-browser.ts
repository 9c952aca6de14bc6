import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from './start-program.ts'

const user = { username: 'user', password: 'a long enough password' }

/** Starts File Browser with one user, whose token is in the returned headers. */
export async function startFileBrowser() {
  const program = await startProgram('filebrowser', (folder, port) => {
    const database = ['--database', join(folder, 'filebrowser.db')]
    mkdirSync(join(folder, 'files'))
    const run = (...args: string[]) => execFileSync('filebrowser', [...args, ...database], { cwd: folder, stdio: 'ignore' })
    run('config', 'init')
    run('users', 'add', user.username, user.password, '--perm.admin')
    return { args: [...database, '--root', join(folder, 'files'), '--address', '127.0.0.1', '--port', String(port)], env: {} }
  })
  const reply = await fetch(`${program.url}/api/login`, { method: 'POST', body: JSON.stringify(user) })
  if (!reply.ok) throw new Error(`File Browser returned no token: ${reply.status}`)
  return { ...program, folder: join(program.folder, 'files'), headers: { 'x-auth': await reply.text() } }
}
