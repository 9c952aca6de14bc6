import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { startNeptune, tryToStart } from '../support/start-neptune.ts'

const scratch = mkdtempSync(join(tmpdir(), 'neptune-metrics-'))
let dataDir: string
let count = 0
beforeEach(() => {
  dataDir = join(scratch, String(count++))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it('serves metrics on METRICS_PORT, to this machine only, until the server exits', async () => {
  await using neptune = await startNeptune({ DATA_DIR: dataDir, METRICS_PORT: '0', LOG_LEVEL: 'info' })
  const [, url = ''] = /"url":"(http:\/\/127\.0\.0\.1:\d+\/metrics)"/.exec(neptune.output()) ?? []
  await fetch(`${neptune.url}/healthz`)
  const text = await (await fetch(url)).text()
  expect(text).toContain('neptune_database_up 1\n')
  expect(text).toContain('neptune_http_requests_total{method="GET",route="/healthz",status="200"}')
  expect((await fetch(`${neptune.url}/metrics`)).status).toBe(404)
  await neptune.stop()
  await expect(fetch(url)).rejects.toThrow()
})

it('refuses to start if METRICS_PORT is in use, and names the port', async () => {
  const otherServer = createServer()
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve))
  const { port } = otherServer.address() as { port: number }
  const { code, lines } = await tryToStart({ DATA_DIR: dataDir, METRICS_PORT: String(port) })
  expect(code).toBe(1)
  expect(lines.at(-1)).toContain(
    `Port ${port} on 127.0.0.1 is already in use. Stop the other program or set METRICS_PORT to another port.`,
  )
  expect(lines.join()).not.toContain('Password')
  otherServer.close()
})
