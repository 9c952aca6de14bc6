import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startNeptune, tryToStart } from '../support/start-neptune.ts'
import { postLogin } from '../support/start-signed-in.ts'

const scratch = mkdtempSync(join(tmpdir(), 'neptune-first-start-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const findPassword = (output: string) => /Password\s+(\S+)\s+\(shown once/.exec(output)?.[1]

it('starts again after kills throughout the first start, with a password that was printed', async () => {
  const preload = `--import=${join(import.meta.dirname, '../support/preload/kill-at-statement.ts')}`
  const step = 45 // a first start has about 190 statements
  for (let statement = 1, kills = 0; ; statement += step) {
    const folder = join(scratch, String(statement), 'data')
    const killed = await tryToStart({ DATA_DIR: folder, NODE_OPTIONS: preload, NEPTUNE_KILL_AT: String(statement) })
    if (killed.hasStarted) {
      expect(kills).toBeGreaterThan(3)
      return
    }
    kills++
    await using neptune = await startNeptune({ DATA_DIR: folder })
    const password = findPassword(neptune.output()) ?? findPassword(killed.lines.join('\n')) ?? ''
    expect(
      (await postLogin(neptune.url, { email: 'admin@neptune.local', password })).status,
      `killed at statement ${statement}`,
    ).toBe(200)
  }
})
