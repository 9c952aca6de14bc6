import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { saveTestDatabase } from '../../db/testing.ts'
import type { startTestServer } from '../../testing.ts'

type Server = Pick<Awaited<ReturnType<typeof startTestServer>>, 'deps' | 'folder' | 'clock'> & AsyncDisposable

/**
 * Returns a function that opens the same server for every test of a file, and undoes what the test did when the test disposes of it.
 * On PostgreSQL, which cannot undo everything quickly, every test gets a server of its own.
 */
export function shareServer<S extends Server>(open: () => Promise<S>): () => Promise<S> {
  let shared: Promise<S & { restore: ReturnType<typeof saveServer> }> | undefined
  afterAll(async () => (await shared)?.[Symbol.asyncDispose]())
  return async () => {
    shared ??= open().then((server) => ({ ...server, restore: saveServer(server) }))
    const server = await shared
    return server.restore ? { ...server, [Symbol.asyncDispose]: server.restore } : open()
  }
}

/** Returns a function that sets a server's database, files and clock back to what they are now, or undefined on PostgreSQL. */
function saveServer({ deps, folder, clock }: Server): (() => Promise<void>) | undefined {
  const restoreDatabase = saveTestDatabase(deps.db)
  const { now } = clock
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, bytes: readFileSync(path) }))
  return (
    restoreDatabase &&
    (async () => {
      await restoreDatabase()
      for (const { path, bytes } of files) {
        rmSync(path, { force: true })
        writeFileSync(path, bytes)
      }
      clock.now = now
    })
  )
}
