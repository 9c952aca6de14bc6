import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { failToStart, startNeptune } from '../support/start-neptune.ts'

const scratch = mkdtempSync(join(tmpdir(), 'neptune-metrics-'))
let dataDir: string
let count = 0
beforeEach(() => {
  dataDir = join(scratch, String(count++))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it('METRICS_PORT serves metrics on a port of its own, to this machine alone, until the very end', async () => {
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

it('a METRICS_PORT that is in use stops the start, and is named', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { code, lines } = await failToStart({ DATA_DIR: dataDir, METRICS_PORT: String(port) })
  expect(code).toBe(1)
  expect(lines.at(-1)).toContain(
    `Port ${port} on 127.0.0.1 is already in use. Stop the other program or set METRICS_PORT to another port.`,
  )
  expect(lines.join()).not.toContain('Password')
  other.close()
})
