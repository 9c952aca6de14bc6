import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
}

/** Builds the component gallery and serves it with the content security policy of the product's pages. */
export async function startGallery(policy: string) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-gallery-'))
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--config', 'web/gallery/vite.config.ts', '--outDir', folder], {
    cwd: root,
    stdio: 'pipe',
  })
  const server = createServer((request, reply) => {
    const path = new URL(request.url ?? '/', 'http://gallery').pathname
    const file = join(folder, path === '/' ? 'index.html' : path)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return reply.writeHead(404).end()
    reply
      .writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain', 'content-security-policy': policy })
      .end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
