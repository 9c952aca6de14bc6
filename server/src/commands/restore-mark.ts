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
  const path = getRestoreMarkPath(config)
  if (!existsSync(path)) return undefined
  const { data: mark } = Mark.safeParse(parseJson(readFileSync(path, 'utf8')))
  const current = createMark(config)
  if (mark && mark.database === current.database && mark.store === current.store) return mark
  const startOver = 'To start over, empty the data folder (keep secret.key) and the destination of that restore.'
  throw new CommandError(
    mark
      ? `A restore into ${mark.database} and ${mark.store} was interrupted (${path}), and the current settings name another destination. Run it with the settings of that restore. ${startOver}`
      : `A restore was interrupted, and ${path} doesn't say where it was restoring to. ${startOver}`,
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
