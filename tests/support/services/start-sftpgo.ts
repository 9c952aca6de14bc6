import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from './start-program.ts'

const password = 'a long enough password'

/** Starts SFTPGo with one user, whose token is in the returned headers. */
export async function startSftpgo() {
  const program = await startProgram('sftpgo', (folder, port) => ({
    args: ['serve', '--config-dir', folder],
    env: {
      ...inheritSettings(),
      SFTPGO_HTTPD__BINDINGS__0__PORT: String(port),
      SFTPGO_HTTPD__BINDINGS__0__ADDRESS: '127.0.0.1',
      SFTPGO_HTTPD__JWT_LIFETIME: '720',
      SFTPGO_SFTPD__BINDINGS__0__PORT: '0',
      SFTPGO_DATA_PROVIDER__DRIVER: 'sqlite',
      SFTPGO_DATA_PROVIDER__NAME: join(folder, 'sftpgo.db'),
      SFTPGO_DATA_PROVIDER__CREATE_DEFAULT_ADMIN: 'true',
      SFTPGO_DEFAULT_ADMIN_USERNAME: 'admin',
      SFTPGO_DEFAULT_ADMIN_PASSWORD: password,
      SFTPGO_COMMON__MAX_PER_HOST_CONNECTIONS: '0',
      SFTPGO_LOG_LEVEL: 'warn',
      SFTPGO_LOG_FILE_PATH: join(folder, 'sftpgo.log'),
    },
  }))
  const { url } = program
  const folder = join(program.folder, 'files')
  mkdirSync(folder)
  const admin = await getToken(`${url}/api/v2/token`, 'admin')
  const user = { username: 'user', password, home_dir: folder, status: 1, permissions: { '/': ['*'] } }
  const headers = { ...admin, 'content-type': 'application/json' }
  const created = await fetch(`${url}/api/v2/users`, { method: 'POST', headers, body: JSON.stringify(user) })
  if (created.status !== 201) throw new Error(`SFTPGo did not create a user: ${created.status} ${await created.text()}`)
  return { ...program, folder, headers: await getToken(`${url}/api/v2/user/token`, 'user') }
}

/** Returns the settings in the environment, such as where the templates are if SFTPGo is not installed as a package. */
const inheritSettings = () =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = '']) => (name.startsWith('SFTPGO_') ? [[name, value]] : [])),
  )

async function getToken(url: string, name: string) {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const reply = await fetch(url, { headers: { authorization } })
  if (!reply.ok) throw new Error(`SFTPGo returned no token: ${reply.status} ${await reply.text()}`)
  const { access_token } = (await reply.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}
