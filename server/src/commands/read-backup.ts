import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { migrations } from '../db/migrate.ts'
import { deriveKeys, isSigned, type Keys } from '../lib/secrets.ts'
import { describeError } from '../open.ts'
import { readKeyFile } from '../secret-key.ts'
import { End, Manifest, RowsHash } from './archive.ts'
import { chunksOf, entriesOf, readEntry, type TarEntry, TarError } from './tar.ts'
import { UsageError } from './terminal.ts'

export interface Backup {
  manifest: Manifest
  end: End
  /** Where the rows are. The blobs may be a million, so these are looked up again. */
  rows: TarEntry[]
}

export async function openBackup(path: string): Promise<FileHandle> {
  const file = await open(path, 'r').catch((error) => {
    throw new UsageError(`${path} cannot be read: ${describeError(error)}`)
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new UsageError(`${path} cannot be read: it is not a file. Name the file that neptune backup made.`)
}

/** What the file holds. Whatever is wrong with it is said here, before anything is written; only the blobs are not looked into yet. */
export async function readBackup(path: string, file: FileHandle): Promise<Backup> {
  const refuse = (why: string) => new UsageError(`${path} ${why}`)
  const entries: TarEntry[] = []
  const rows: TarEntry[] = []
  let blobs = 0
  try {
    for await (const entry of entriesOf(file)) {
      if (isBlob(entry)) blobs++
      else (entry.name.startsWith('rows/') ? rows : entries).push(entry)
    }
  } catch (error) {
    if (!(error instanceof TarError)) throw error
    throw refuse('is not a whole backup: it is cut off, or something else.')
  }
  const json = async (name: string) => {
    const entry = entries.find((entry) => entry.name === name)
    return entry ? JSON.parse((await readEntry(file, entry)).toString()) : undefined
  }
  const said = await json('manifest.json')
  if (typeof said?.format === 'number' && said.format > 1)
    throw refuse('was made by a newer Neptune. Restore it with that version.')
  const manifest = Manifest.safeParse(said)
  if (!manifest.success) throw refuse('is not a backup of Neptune.')
  if (!(manifest.data.migration in migrations))
    throw refuse(`was made by a newer Neptune (${manifest.data.neptune}). Restore it with that version.`)
  const end = End.safeParse(await json('end.json'))
  if (!end.success || end.data.blobs !== blobs) throw refuse('has no end: the backup was broken off.')
  const hash = new RowsHash()
  for (const entry of rows) {
    hash.begin(entry)
    for await (const chunk of chunksOf(file, entry)) hash.update(chunk)
  }
  if (hash.digest() !== end.data.rows_sha256) throw refuse('is damaged: its rows are not those that were backed up.')
  return { manifest: manifest.data, end: end.data, rows }
}

export const isBlob = ({ name }: TarEntry) => name.startsWith('blobs/')

export function keysFor(config: Config, { key_check }: Manifest): Keys {
  const given = config.secretKey ?? readKeyFile(config)
  if (!given)
    throw new UsageError(
      `The secret key of this backup is missing. Put it at ${resolve(config.dataDir, 'secret.key')} (chmod 600) or set SECRET_KEY; without it sealed data cannot be read.`,
    )
  const keys = deriveKeys(given)
  if (!isSigned(keys.check, 'neptune', key_check))
    throw new UsageError('The secret key is not the one this backup was made with. Put the right one in its place.')
  return keys
}
