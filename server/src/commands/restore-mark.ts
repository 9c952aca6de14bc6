import { existsSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import * as z from 'zod'
import { syncFolder } from '../blobs/disk/files.ts'
import type { Config } from '../config.ts'
import { describeDatabase, describeStore, getRestoreMarkPath } from '../installation/open-installation.ts'
import { newId } from '../lib/secrets.ts'
import { CommandError } from './terminal.ts'

/** The destination of an unfinished restore, so that a later run cannot continue it elsewhere. */
const Mark = z.object({
  database: z.string(),
  store: z.string(),
  /** See store-id.ts. */
  id: z.string(),
})
export type Mark = z.infer<typeof Mark>

export const createMark = (config: Config): Mark => ({
  database: describeDatabase(config),
  store: describeStore(config),
  id: newId(),
})

/** Returns the mark of an unfinished restore, if any. Throws if that restore had other settings. */
export function readMark(config: Config): Mark | undefined {
  if (!existsSync(getRestoreMarkPath(config))) return undefined
  const { data: mark } = Mark.safeParse(parseJson(readFileSync(getRestoreMarkPath(config), 'utf8')))
  const current = createMark(config)
  if (mark && mark.database === current.database && mark.store === current.store) return mark
  const location = mark ? `${mark.database} and ${mark.store}` : 'an unknown location'
  throw new CommandError(
    `${getRestoreMarkPath(config)} says that a restore into ${location} was interrupted. Run it again with the same settings, or empty the data folder, the database and the store to start over.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes the mark, which keeps servers from starting here until the restore is finished. */
export async function setMark(config: Config, mark: Mark) {
  const part = `${getRestoreMarkPath(config)}.part`
  {
    await using file = await open(part, 'w', 0o600)
    await file.writeFile(`${JSON.stringify(mark)}\n`)
    await file.sync()
  }
  await rename(part, getRestoreMarkPath(config)) // atomic: an incomplete mark would not name the destination
  await syncFolder(config.dataDir)
}
