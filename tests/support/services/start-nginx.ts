import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

/** Starts nginx as the current user, with this content of its server block. Returns undefined if nginx is not installed. */
export async function startNginx(makeServerBlock: (folder: string) => string) {
  if (spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'neptune-nginx-'))
  const port = await findFreePort()
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/tmp;`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `user ${userInfo().username}; pid ${folder}/nginx.pid; worker_processes auto; daemon off;
     events {} http { access_log off; sendfile on; client_max_body_size 0; ${tempPaths.join(' ')}
     server { listen 127.0.0.1:${port}; ${makeServerBlock(folder)} } }`,
  )
  const child = spawn('nginx', ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  for (let n = 0; n < 1200 && !(await fetch(url).then(Boolean, () => false)); n++) await wait(50)
  return {
    url,
    folder,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
