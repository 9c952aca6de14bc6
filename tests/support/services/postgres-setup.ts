import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'

/** Starts one PostgreSQL for the whole run. Every test gets its own database on it. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return server.stop
}
