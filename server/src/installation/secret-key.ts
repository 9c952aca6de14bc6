import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, isRandomKey } from '../config.ts'
import type { Db } from '../db/database.ts'
import { insertInstallationValue, readInstallationValue } from '../db/installation.ts'
import { deriveKeys, isSigned, type Keys, sign } from '../lib/secrets.ts'
import { StartError } from './start-error.ts'

/** Reads the key file, and throws if it is not usable. Called before anything is written, so that a bad key leaves nothing behind. */
export function readKeyFile({ dataDir }: Config): string | undefined {
  const path = getKeyPath(dataDir)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return undefined
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
    throw new StartError(`The secret key ${path} is readable by other users (mode ${mode}). Fix it with: chmod 600 ${path}`)
  }
  const key = readFileSync(path, 'utf8').trim()
  if (!isRandomKey(key))
    throw new StartError(`The secret key ${path} is too short or a sample value. Restore the right one from your password store.`)
  return key
}

/**
 * Returns the keys of this installation, and creates them if the database is new. Throws if the key of an existing database is missing
 * or differs: replacing it would make everything encrypted under the old key unreadable.
 */
export async function openKeys(config: Config, db: Db): Promise<Keys> {
  const storedFingerprint = await readInstallationValue(db, 'key_check')
  const secretKey = config.secretKey ?? readKeyFile(config) // read again: another node may have created it since
  if (storedFingerprint && !secretKey) {
    throw new StartError(
      `The secret key of this database is missing. Restore it to ${getKeyPath(config.dataDir)} or set SECRET_KEY; encrypted data cannot be read without it.${getNodesHint(config)}`,
    )
  }
  const keys = deriveKeys(secretKey ?? createKeyFile(config))
  const expected =
    storedFingerprint ??
    ((await insertInstallationValue(db, 'key_check', computeFingerprint(keys)))
      ? undefined
      : await readInstallationValue(db, 'key_check'))
  if (expected !== undefined && !isSigned(keys.check, 'neptune', expected)) {
    const source = config.secretKey ? 'SECRET_KEY' : getKeyPath(config.dataDir)
    if (!secretKey) rmSync(getKeyPath(config.dataDir)) // just created, but another node was faster: nothing is encrypted under it
    throw new StartError(`${source} is not the secret key of this database. Restore the right one.${getNodesHint(config)}`)
  }
  return keys
}

/** Returns a hint for databases that several nodes can share: a node without the key is usually new. */
const getNodesHint = ({ databaseUrl }: Config) =>
  databaseUrl.startsWith('sqlite:')
    ? ''
    : ' All nodes of a database share its key: copy secret.key from the data folder of the first node, or set the same SECRET_KEY on every node.'

const computeFingerprint = (keys: Keys) => sign(keys.check, 'neptune')

const getKeyPath = (dataDir: string) => join(dataDir, 'secret.key')

/** Creates the key file atomically: writes a temporary file and links it into place. Of two concurrent starts, the first wins. */
function createKeyFile(config: Config): string {
  const draft = `${getKeyPath(config.dataDir)}.${process.pid}`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, `${randomBytes(32).toString('base64url')}\n`)
    fsyncSync(file)
    linkSync(draft, getKeyPath(config.dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(file)
    rmSync(draft, { force: true })
  }
  return readKeyFile(config) ?? ''
}
