import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNginx } from './start-nginx.ts'

const site = readFileSync(join(import.meta.dirname, '../../../deploy/nginx.conf'), 'utf8')

/** Starts nginx in front of a server with `X_ACCEL_REDIRECT=/stored/`. nginx sends the files, using the location of deploy/nginx.conf. */
export function startXAccelProxy(neptune: { url: string; folder: string }) {
  const [location = ''] = /location \/stored\/ \{.*?\}/s.exec(site) ?? []
  const blobs = join(neptune.folder, 'data/blobs/')
  return startNginx(
    () => `${location.replace('/var/lib/neptune/blobs/', blobs)}
      location / { proxy_pass ${neptune.url}; proxy_http_version 1.1; proxy_set_header Connection "";
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; }`,
  )
}
