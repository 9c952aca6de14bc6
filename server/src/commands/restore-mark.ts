import { existsSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import * as z from 'zod'
import { syncFolder } from '../blobs/disk-files.ts'
import type { Config } from '../config.ts'
import { newId } from '../lib/secrets.ts'
import { describeDatabase, restoreMarkPath } from '../open.ts'
import { UsageError } from './terminal.ts'

/** Where to a restore goes, so that a later run does not take another place for its own. */
const Mark = z.object({
  database: z.string(),
  store: z.string(),
  /** See store-id.ts. */
  id: z.string(),
})
export type Mark = z.infer<typeof Mark>

export const markOf = (config: Config): Mark => ({
  database: describeDatabase(config),
  store: config.s3 ? `the bucket ${config.s3.bucket} at ${config.s3.endpoint}` : config.dataDir,
  id: newId(),
})

/** Undefined where no restore has begun. */
export function readMark(config: Config): Mark | undefined {
  if (!existsSync(restoreMarkPath(config))) return undefined
  const { data: begun } = Mark.safeParse(jsonOf(readFileSync(restoreMarkPath(config), 'utf8')))
  const here = markOf(config)
  if (begun && begun.database === here.database && begun.store === here.store) return begun
  const there = begun ? `${begun.database} and ${begun.store}` : 'a place that it does not tell'
  throw new UsageError(
    `${restoreMarkPath(config)} says that a restore into ${there} was broken off. Run it again with the settings it had, or empty the data folder, the database and the store to begin anew.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** From now on and until the end no server starts here. */
export async function setMark(config: Config, mark: Mark) {
  const part = `${restoreMarkPath(config)}.part`
  {
    await using file = await open(part, 'w', 0o600)
    await file.writeFile(`${JSON.stringify(mark)}\n`)
    await file.sync()
  }
  await rename(part, restoreMarkPath(config)) // whole or not at all: half of one would tell no place
  await syncFolder(config.dataDir)
}
