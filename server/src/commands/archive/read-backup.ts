import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { migrations } from '../../db/migrate.ts'
import { describeError } from '../../installation/open-installation.ts'
import { readKeyFile } from '../../installation/secret-key.ts'
import { deriveKeys, isSigned, type Keys } from '../../lib/secrets.ts'
import { CommandError } from '../terminal.ts'
import { End, Manifest, RowsHash } from './manifest.ts'
import { readChunks, readEntries, readEntry, type TarEntry, TarError } from './tar.ts'

export interface Backup {
  manifest: Manifest
  end: End
  /** The entries that contain rows. Blobs are not listed here, because there may be a million. */
  rows: TarEntry[]
}

export async function openBackup(path: string): Promise<FileHandle> {
  const file = await open(path, 'r').catch((error) => {
    throw new CommandError(`${path} cannot be read: ${describeError(error)}`)
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new CommandError(`${path} cannot be read: it is not a file. Specify the file that neptune backup created.`)
}

/** Reads and checks a backup before anything is restored. Throws if it is incomplete or damaged. Only the blobs are checked later. */
export async function readBackup(path: string, file: FileHandle): Promise<Backup> {
  const createError = (problem: string) => new CommandError(`${path} ${problem}`)
  const entries: TarEntry[] = []
  const rows: TarEntry[] = []
  let blobs = 0
  try {
    for await (const entry of readEntries(file)) {
      if (isBlob(entry)) blobs++
      else (entry.name.startsWith('rows/') ? rows : entries).push(entry)
    }
  } catch (error) {
    if (!(error instanceof TarError)) throw error
    throw createError('is not a complete backup: it is cut off or not a backup at all.')
  }
  const readJson = async (name: string) => {
    const entry = entries.find((entry) => entry.name === name)
    return entry ? JSON.parse((await readEntry(file, entry)).toString()) : undefined
  }
  const manifestJson = await readJson('manifest.json')
  if (typeof manifestJson?.format === 'number' && manifestJson.format > 1)
    throw createError('was created by a newer Neptune. Restore it with that version.')
  const manifest = Manifest.safeParse(manifestJson)
  if (!manifest.success) throw createError('is not a backup of Neptune.')
  if (!(manifest.data.migration in migrations))
    throw createError(`was created by a newer Neptune (${manifest.data.neptune}). Restore it with that version.`)
  const end = End.safeParse(await readJson('end.json'))
  if (!end.success || end.data.blobs !== blobs) throw createError('is incomplete: the backup was interrupted.')
  const hash = new RowsHash()
  for (const entry of rows) {
    hash.begin(entry)
    for await (const chunk of readChunks(file, entry)) hash.update(chunk)
  }
  if (hash.digest() !== end.data.rows_sha256) throw createError('is damaged: its rows are not those that were backed up.')
  return { manifest: manifest.data, end: end.data, rows }
}

export const isBlob = ({ name }: TarEntry) => name.startsWith('blobs/')

/** Derives the keys. Throws unless the secret key is the one of the backup. */
export function openBackupKeys(config: Config, { key_check }: Manifest): Keys {
  const given = config.secretKey ?? readKeyFile(config)
  if (!given)
    throw new CommandError(
      `The secret key of this backup is missing. Put it at ${resolve(config.dataDir, 'secret.key')} (chmod 600) or set SECRET_KEY; encrypted data cannot be read without it.`,
    )
  const keys = deriveKeys(given)
  if (!isSigned(keys.check, 'neptune', key_check))
    throw new CommandError('The secret key is not the one of this backup. Provide the right one.')
  return keys
}
