import type { FastifyBaseLogger } from 'fastify'
import type { BlobStore } from './blobs/blob-store.ts'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import type { Keys } from './lib/secrets.ts'
import type { Mailer } from './mail/mailer.ts'

/** The dependencies of all features. Created when a server or a command starts; tests replace single ones. */
export interface Deps {
  config: Config
  keys: Keys
  db: Db
  blobs: BlobStore
  mailer: Mailer
  log: FastifyBaseLogger
  now: () => Date
}
