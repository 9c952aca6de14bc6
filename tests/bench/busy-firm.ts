import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillSqlite } from '../support/load/fill-sqlite.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'

export const benchSettings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

/** What the data of a busy firm contains. */
const counts = { files: 100_000, links: 10_000, entries: 1_000_000 }

let filled: Promise<string> | undefined

/** Returns a data folder with the data of a busy firm, which is made once. Copy it. It is removed when the process exits. */
export function getBusyFirm(): Promise<string> {
  filled ??= fillBusyFirm()
  return filled
}

async function fillBusyFirm(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  {
    await using neptune = await startNeptune({ ...benchSettings, DATA_DIR: data })
    await neptune.stop()
  }
  fillSqlite(join(data, 'neptune.db'), counts)
  return data
}
