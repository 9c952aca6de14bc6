import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { startProgram } from './start-program.ts'

/** Starts nginx as the current user, with this content of its server block. Returns undefined if nginx is not installed. */
export async function startNginx(makeServerBlock: (folder: string) => string) {
  if (spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status !== 0) return undefined
  return startProgram('nginx', (folder, port) => {
    const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/tmp;`)
    writeFileSync(
      join(folder, 'nginx.conf'),
      `user ${userInfo().username}; pid ${folder}/nginx.pid; worker_processes auto; daemon off;
       events {} http { access_log off; sendfile on; client_max_body_size 0; ${tempPaths.join(' ')}
       server { listen 127.0.0.1:${port}; ${makeServerBlock(folder)} } }`,
    )
    return { args: ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'], env: {} }
  })
}
