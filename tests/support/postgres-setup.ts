import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'

/** One server for the whole run; every test gets a database of its own on it. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return server.stop
}
