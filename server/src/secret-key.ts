import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, isRandomKey } from './config.ts'
import type { Db } from './db/database.ts'
import { findFact, insertFact } from './db/installation.ts'
import { deriveKeys, isSigned, type Keys, sign } from './lib/secrets.ts'
import { StartError } from './start-error.ts'

/** Reads the key file before anything is written, so that a bad one leaves nothing half-made behind. */
export function readKeyFile({ dataDir }: Config): string | undefined {
  const path = keyPath(dataDir)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return undefined
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
    throw new StartError(`The secret key ${path} can be read by others (mode ${mode}). Make it yours alone: chmod 600 ${path}`)
  }
  const key = readFileSync(path, 'utf8').trim()
  if (!isRandomKey(key))
    throw new StartError(`The secret key ${path} is too short or a sample. Put the right one back from your backup.`)
  return key
}

/**
 * The keys of this installation. They are made with the database and belong to it: another key, or none, is refused rather than
 * replaced, because what is sealed under the old one would be lost.
 */
export async function openKeys(config: Config, db: Db): Promise<Keys> {
  const check = await findFact(db, 'key_check')
  const given = config.secretKey ?? readKeyFile(config) // again: another node may have made it since
  if (check && !given) {
    throw new StartError(
      `The secret key of this database is missing. Put it back at ${keyPath(config.dataDir)} or set SECRET_KEY; without it sealed data cannot be read.${amongNodes(config)}`,
    )
  }
  const keys = deriveKeys(given ?? makeKeyFile(config))
  const isKnown = check ?? ((await insertFact(db, 'key_check', fingerprint(keys))) ? undefined : await findFact(db, 'key_check'))
  if (isKnown !== undefined && !isSigned(keys.check, 'neptune', isKnown)) {
    const source = config.secretKey ? 'SECRET_KEY' : keyPath(config.dataDir)
    if (!given) rmSync(keyPath(config.dataDir)) // made just now, while another node was faster: nothing is sealed under it
    throw new StartError(
      `${source} is not the secret key this database was made with. Put the right one back.${amongNodes(config)}`,
    )
  }
  return keys
}

/** Where several nodes can be, one without a key is mostly a new one. */
const amongNodes = ({ databaseUrl }: Config) =>
  databaseUrl.startsWith('sqlite:')
    ? ''
    : ' All nodes of a database share its key: copy secret.key from the data folder of the first one, or set SECRET_KEY to the same on each.'

const fingerprint = (keys: Keys) => sign(keys.check, 'neptune')

const keyPath = (dataDir: string) => join(dataDir, 'secret.key')

/** Written beside and linked into place, so that it is there whole or not at all, and the first of two that start at once wins. */
function makeKeyFile(config: Config): string {
  const draft = `${keyPath(config.dataDir)}.${process.pid}`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, `${randomBytes(32).toString('base64url')}\n`)
    fsyncSync(file)
    linkSync(draft, keyPath(config.dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
  return readKeyFile(config) ?? ''
}
