import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ApiResponse } from '../../support/call-api.ts'
import { runCommand, startCommand } from '../../support/run-command.ts'
import { makeServerClock } from '../../support/server-clock.ts'
import { query } from '../../support/services/start-postgres.ts'
import { openFaultServer } from '../test-server.ts'
import { Model, shared } from './model.ts'
import { callUntilAvailable, type World, waitUntil } from './operation.ts'
import { openDatabase } from './state.ts'

const makePreloadOption = (name: string) => `--import=${join(import.meta.dirname, '../../support/preload', `${name}.ts`)}`
const dayMs = 24 * 60 * 60_000
/** Low enough to be reached sometimes. */
const quota = 600_000

/** Opens a server with two companies, in each of which all clients share a directory. `settings` are those of PostgreSQL and S3. */
export async function openInstallation(settings: Record<string, string>) {
  // More versions than a test makes, because the model doesn't prune them.
  const common = { ...settings, VERSIONS_KEPT: '1000' }
  const running = { ...common, NODE_OPTIONS: makePreloadOption('frequent-sweeps') }
  const server = await openFaultServer(running)
  const postgresUrl = settings['DATABASE_URL'] ?? ''
  const database = openDatabase(server.data, postgresUrl)
  const commandSettings = { ...common, DATA_DIR: server.data }
  let garbageCollector: ChildProcess | undefined

  const world: World = {
    server,
    database,
    model: new Model(),
    companies: [server.company],
    violations: [],
    foreignCopies: [],
    async collectGarbage() {
      const command = startCommand(['gc'], commandSettings)
      garbageCollector = command.process
      const { code, out, err } = await command.ended
      if (code === null) return undefined // killed
      return makeReply(code === 0 ? 204 : 500, `neptune gc exited with ${code}:\n${out}${err}`)
    },
  }
  await addSharedFolders(world)

  return {
    world,
    kill({ withCommand = false } = {}) {
      server.process.kill('SIGKILL')
      if (withCommand) garbageCollector?.kill('SIGKILL')
    },

    /** Restarts the server. With `killAt`, it is killed at that SQLite statement. */
    async restart(killAt = 0) {
      await server.kill()
      if (postgresUrl !== '') await waitForBackends(postgresUrl)
      const options = [running.NODE_OPTIONS, ...(killAt > 0 ? [makePreloadOption('kill-at-statement')] : [])]
      await server.start({ ...running, NODE_OPTIONS: options.join(' '), NEPTUNE_KILL_AT: String(killAt) })
    },

    endInterrupted: () => endInterrupted(world),
    waitForDiscardedCopies: () => waitUntil(world, async () => (await database.readState()).stages.length === 0),

    expectClean: (kills: number) => expectClean(world, commandSettings, kills),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const makeReply = (status: number, code: string): ApiResponse => ({ status, headers: new Headers(), body: { code } })

/** Cancels interrupted uploads, and backdates interrupted copies, so that a job discards them as it would after an hour. */
async function endInterrupted(world: World) {
  const { server, database } = world
  const uploads = await callUntilAvailable(world, 'GET', '/v1/upload?limit=200')
  for (const { id } of uploads?.body.data ?? []) {
    const headers = { ...server.staff, 'tus-resumable': '1.0.0' }
    const reply = await callUntilAvailable(world, 'DELETE', `/v1/upload/${id}`, undefined, headers)
    expect([204, 404]).toContain(reply?.status)
  }
  const hoursAgo = new Date(Date.now() - dayMs / 8).toISOString()
  await database.run([`update directory set deleted_at = '${hoursAgo}' where trashed_with = id returning id`])
  await database.run([`update job set ran_at = '${hoursAgo}' where name = 'sweep' returning name`])
}

/** Expects `fsck --scrub` and `audit verify` to find nothing, once the orphaned blobs that kills left behind are removed. */
async function expectClean(world: World, commandSettings: Record<string, string>, kills: number) {
  const hasS3 = commandSettings['S3_BUCKET'] !== undefined
  const orphans = await (hasS3 ? repairOrphans(commandSettings) : collectOrphans(world, commandSettings))
  expect(orphans, 'orphaned blobs').toBeLessThanOrEqual(2 * kills + 10)
  const { code, err, findings } = await runFsck(['--scrub'], commandSettings)
  const versions = [...world.model.files.values()].flatMap((file) => file.versions)
  const bytes = versions.reduce((sum, { size }) => sum + size, 0)
  // While a server may be running, fsck reports recent orphans only as notes.
  const notes = hasS3 ? findings.filter(isOrphanNote) : []
  const summary = { files: versions.length, bytes, faults: 0, repaired: 0, notes: notes.length }
  expect({ err, found: findings.filter((finding) => !notes.includes(finding)) }).toEqual({ err: '', found: [summary] })
  expect(code).toBe(0)
  const audit = await runCommand(['audit', 'verify'], commandSettings)
  expect(audit.code, audit.out + audit.err).toBe(0)
}

interface Finding {
  kind?: string
  isNote?: true
}

const isOrphanNote = ({ kind, isNote }: Finding) => kind === 'orphan' && isNote === true

/** Runs `neptune fsck`. The last finding is the summary. */
async function runFsck(options: string[], commandSettings: Record<string, string>) {
  const { code, out, err } = await runCommand(['fsck', '--json', ...options], commandSettings)
  const lines = out.trim().split('\n')
  return { code, err, findings: lines.map((line): Finding => JSON.parse(line)) }
}

/** Removes the orphaned blobs with a repair, and returns how many there were. Expects that nothing else needs a repair. */
async function repairOrphans(commandSettings: Record<string, string>): Promise<number> {
  const { findings } = await runFsck(['--repair'], commandSettings)
  const orphans = findings.slice(0, -1)
  expect(orphans.filter(({ kind }) => kind !== 'orphan')).toEqual([])
  return orphans.length
}

/**
 * Stops the server, and removes the orphaned blobs that it would remove after a day. Returns how many there were. Doesn't work with an
 * object store, whose clock the test cannot set.
 */
async function collectOrphans({ server, model }: World, commandSettings: Record<string, string>): Promise<number> {
  await server.stop()
  const before = countFiles(join(server.data, 'blobs'))
  using clock = makeServerClock()
  clock.setAhead(2 * dayMs)
  const { code, out, err } = await runCommand(['gc'], { ...commandSettings, ...clock.settings })
  expect(code, out + err).toBe(0)
  const after = countFiles(join(server.data, 'blobs'))
  const blobs = [...model.files.values()].flatMap(({ versions }) => versions.map(({ id }) => id))
  expect(after, 'stored blobs').toBe(new Set(blobs).size)
  return before - after
}

const countFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

async function addSharedFolders({ server, model, companies }: World) {
  const own = companies[0] ?? ''
  await server.call('PATCH', `/v1/admin/company/${own}`, { quota })
  companies.push((await server.call('POST', '/v1/admin/company', { name: 'Globex' }))?.body.data.id)
  for (const company of companies) {
    const top = company === own ? server.directory : await server.openDirectory('Plans', company)
    model.addFolder({ id: top, parent: null, company, name: 'Plans', owner: shared })
    const inner = await server.call('POST', '/v1/directory', { directory: 'Inbox', parent: top })
    model.addFolder({ id: inner?.body.data.id, parent: top, company, name: 'Inbox', owner: shared })
  }
}

/** Waits until PostgreSQL has closed the connections of a killed server. A commit that had already arrived may take a moment. */
async function waitForBackends(url: string) {
  const condition = `application_name = 'neptune' and datname = current_database()`
  await expect
    .poll(() => query(url, `select pid from pg_stat_activity where ${condition}`), { interval: 20, timeout: 30_000 })
    .toEqual([])
}

/** Returns the settings of a new bucket. */
export const makeBucketSettings = (settings: Record<string, string>) => ({
  ...settings,
  S3_BUCKET: `files-${randomBytes(8).toString('hex')}`,
})
