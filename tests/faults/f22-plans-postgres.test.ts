import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillPostgres } from '../support/load/fill-postgres.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { settings, signInAdmin } from '../support/start-signed-in.ts'
import { createRecords, exerciseApi, listPaths, type Records } from './exercise-api.ts'

/** A table with at least this many rows is large: no query may scan it. */
const largeTableRows = 10_000
/**
 * The tables that grow with every file and every action, and how many of their rows one query may read: a search reads
 * until it has found 2,000 matches.
 */
const largestTables = ['file', 'audit', 'link_event']
const maxRowsRead = 25_000
const rounds = 20

/** Makes PostgreSQL log the plan of every query, including those for referential integrity. */
async function enableAutoExplain() {
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    'auto_explain.log_min_duration = 0',
    `auto_explain.log_format = 'json'`,
    'auto_explain.log_analyze = on',
    'auto_explain.log_timing = off',
    'auto_explain.log_nested_statements = on',
  ])
    await postgres.query(`alter database postgres set ${setting}`)
}

let log = ''
let postgres: Awaited<ReturnType<typeof startPostgres>>
let records: Records
const folder = mkdtempSync(join(tmpdir(), 'neptune-many-'))
const start = async () =>
  signInAdmin(await startNeptune({ ...settings, DATABASE_URL: postgres.url, DATA_DIR: join(folder, 'data') }))
beforeAll(async () => {
  postgres = await startPostgres({ settings: ['shared_buffers=512MB'], onLog: (text) => (log += text) })
  {
    await using neptune = await start()
    records = await createRecords(neptune)
  }
  const startedAt = performance.now()
  await fillPostgres(postgres.url, records)
  process.stdout.write(`F22: PostgreSQL filled in ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
}, 600_000)
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

it('F22: never scans a large table in PostgreSQL with a million files and a million audit entries', async () => {
  await enableAutoExplain()
  await using neptune = await start()
  const sizes = new Map(
    (
      await postgres.query<{ name: string; rows: number }>(
        `select relname as name, reltuples::float8 as rows from pg_class where relkind = 'r' and reltuples >= ${largeTableRows}`,
      )
    ).map(({ name, rows }) => [name, rows]),
  )
  expect(sizes.get('file')).toBeGreaterThan(900_000)
  const found: string[] = []
  let queryCount = 0
  let maxRead = 0
  log = ''
  const checkPlans = async (step: string) => {
    for (const { text, plan } of parsePlans(log)) {
      queryCount++
      for (const { node, table, rows } of listScans(plan).filter(({ table }) => sizes.has(table))) {
        const isFullScan = node.endsWith('Seq Scan') && rows > (sizes.get(table) ?? 0) / 5 // the limit of a search ends its scan early
        const readsTooMuch = largestTables.includes(table) && rows > maxRowsRead
        if (largestTables.includes(table)) maxRead = Math.max(maxRead, rows)
        if (isFullScan || readsTooMuch) found.push(`${step}: ${node} reads ${rows} of ${table}: ${text}`)
      }
    }
    log = ''
  }
  await exerciseApi(neptune, records, checkPlans)
  // The cleanup task runs every minute.
  await expect.poll(() => log, { timeout: 90_000, interval: 500 }).toContain('delete from \\"directory\\"')
  await checkPlans('the cleanup task')
  process.stdout.write(`F22: ${queryCount} queries; none read more than ${maxRead} rows of the largest tables\n`)
  expect(queryCount).toBeGreaterThan(500)
  await postgres.query('alter database postgres reset all') // logging plans is slow
  expect(found).toEqual([])
})

it('F22: returns every list quickly with that many rows', async () => {
  await using neptune = await start()
  const durations: [path: string, took: number][] = []
  for (const path of listPaths(records, 'x'.repeat(22))) {
    const times: number[] = []
    let cursor = ''
    for (let i = 0; i < rounds; i++) {
      const startedAt = performance.now()
      const reply = await neptune.get(
        `${path}${cursor && `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`}`,
      )
      const page = await reply.json()
      times.push(performance.now() - startedAt)
      expect(reply.status, path).toBe(200)
      cursor = page.next ?? ''
    }
    durations.push([path, times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0])
  }
  const report = durations.toSorted(([, a], [, b]) => b - a).map(([path, took]) => `  ${took.toFixed(1).padStart(6)} ${path}`)
  process.stdout.write(`F22: p50 ms on PostgreSQL\n${report.join('\n')}\n`)
  expect(durations.filter(([path, took]) => took >= (path === '/v1/stats' ? 200 : 300))).toEqual([])
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Parses the plans from PostgreSQL's log: a line for each query, followed by the lines of its plan, each after a tab. */
function parsePlans(output: string): { text: string; plan: Plan }[] {
  return [...output.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, json = '']) => {
    const { 'Query Text': text, Plan: plan } = JSON.parse(json.replaceAll(/^\t/gm, ''))
    return { text, plan }
  })
}

/** Returns how many rows each scan in a plan read, including those it filtered out. */
function listScans(plan: Plan): { node: string; table: string; rows: number }[] {
  const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const isScan = plan['Node Type'].includes('Scan') && plan['Relation Name'] !== undefined
  const own = isScan
    ? [{ node: plan['Node Type'], table: plan['Relation Name'] ?? '', rows: Math.round(each * plan['Actual Loops']) }]
    : []
  return [...own, ...(plan.Plans ?? []).flatMap(listScans)]
}
