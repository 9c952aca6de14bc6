import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { startPostgresAndSwift } from './start-cluster.ts'
import type { SharedServices } from './start-pair.ts'

/** Starts one PostgreSQL and one Swift for the whole run of `npm run cluster:e2e`. */
export default async function setup() {
  const services = await startPostgresAndSwift()
  const read = (name: string) => readFileSync(join(services.folder, name), 'utf8')
  const shared: SharedServices = {
    postgresUrl: services.postgresUrl,
    databasesUrl: `postgres://neptune:${read('postgres.password')}@127.0.0.1:${services.port + 50}`,
    s3: parseEnv(read('swift.env')) as Record<string, string>,
  }
  process.env['NEPTUNE_CLUSTER'] = JSON.stringify(shared)
  return () => services[Symbol.asyncDispose]()
}
