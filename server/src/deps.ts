import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import type { Keys } from './lib/secrets.ts'
import type { Mailer } from './mail/mailer.ts'

/** Everything the features touch outside themselves. Built once in main.ts, replaced piece by piece in tests. */
export interface Deps {
  config: Config
  keys: Keys
  db: Db
  mailer: Mailer
  log: FastifyBaseLogger
  now: () => Date
}
