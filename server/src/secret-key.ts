import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
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
  if (key.length < 32)
    throw new StartError(`The secret key ${path} is too short to be one. Put the right one back from your backup.`)
  return key
}

/**
 * The keys of this installation. They are made with the database and belong to it: another key, or none, is refused rather than
 * replaced, because what is sealed under the old one would be lost.
 */
export async function openKeys(config: Config, db: Db, fromFile: string | undefined): Promise<Keys> {
  const check = await findFact(db, 'key_check')
  const given = config.secretKey ?? fromFile
  if (check && !given) {
    throw new StartError(
      `The secret key of this database is missing. Put it back at ${keyPath(config.dataDir)} or set SECRET_KEY; without it sealed data cannot be read.`,
    )
  }
  const keys = deriveKeys(given ?? makeKeyFile(config))
  const isKnown = check ?? ((await insertFact(db, 'key_check', fingerprint(keys))) ? undefined : await findFact(db, 'key_check'))
  if (isKnown !== undefined && !isSigned(keys.check, 'neptune', isKnown)) {
    const source = config.secretKey ? 'SECRET_KEY' : keyPath(config.dataDir)
    throw new StartError(`${source} is not the secret key this database was made with. Put the right one back.`)
  }
  return keys
}

const fingerprint = (keys: Keys) => sign(keys.check, 'neptune')

const keyPath = (dataDir: string) => join(dataDir, 'secret.key')

function makeKeyFile({ dataDir }: Config): string {
  const key = randomBytes(32).toString('base64url')
  const file = openSync(keyPath(dataDir), 'wx', 0o600)
  try {
    writeSync(file, `${key}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return key
}
