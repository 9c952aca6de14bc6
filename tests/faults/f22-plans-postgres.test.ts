import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillPostgres } from '../support/fill-postgres.ts'
import { settings, signIn } from '../support/signed-in.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { listsOf, makePlace, type Place, walk } from './walk.ts'

/** A table of at least so many rows is large: no question goes through it row by row. */
const large = 10_000
/** What one question may read of the largest, which grow with every file and every deed. */
const largest = ['file', 'audit', 'link_event']
const readAtMost = 15_000
const rounds = 20

/** From now on PostgreSQL itself tells how it does what it is asked, also what it asks itself to keep references whole. */
async function listenIn() {
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

let said = ''
let postgres: Awaited<ReturnType<typeof startPostgres>>
let place: Place
const folder = mkdtempSync(join(tmpdir(), 'neptune-many-'))
const start = async () => signIn(await startNeptune({ ...settings, DATABASE_URL: postgres.url, DATA_DIR: join(folder, 'data') }))
beforeAll(async () => {
  postgres = await startPostgres({ settings: ['shared_buffers=512MB'], hear: (text) => (said += text) })
  {
    await using neptune = await start()
    place = await makePlace(neptune)
  }
  const begun = performance.now()
  await fillPostgres(postgres.url, place)
  process.stdout.write(`F22: PostgreSQL filled in ${Math.round((performance.now() - begun) / 1000)} s\n`)
}, 600_000)
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

it('F22: with a million files and a million lines of the trail in PostgreSQL, no question goes through a large table', async () => {
  await listenIn()
  await using neptune = await start()
  const sizes = new Map(
    (
      await postgres.query<{ name: string; rows: number }>(
        `select relname as name, reltuples::float8 as rows from pg_class where relkind = 'r' and reltuples >= ${large}`,
      )
    ).map(({ name, rows }) => [name, rows]),
  )
  expect(sizes.get('file')).toBeGreaterThan(900_000)
  const found: string[] = []
  let asked = 0
  let most = 0
  said = ''
  const step = async (what: string) => {
    for (const { text, plan } of plansIn(said)) {
      asked++
      for (const { node, table, rows } of readsOf(plan).filter(({ table }) => sizes.has(table))) {
        const isWhole = node.endsWith('Seq Scan')
        const isMuch = largest.includes(table) && rows > readAtMost
        if (largest.includes(table)) most = Math.max(most, rows)
        if (isWhole || isMuch) found.push(`${what}: ${node} reads ${rows} of ${table}: ${text}`)
      }
    }
    said = ''
  }
  await walk(neptune, place, step)
  // What the server does by itself every minute.
  await expect.poll(() => said, { timeout: 90_000, interval: 500 }).toContain('delete from \\"directory\\"')
  await step('the sweep')
  process.stdout.write(`F22: ${asked} questions; none read more than ${most} rows of the largest tables\n`)
  expect(asked).toBeGreaterThan(500)
  await postgres.query('alter database postgres reset all') // who tells so much is slow
  expect(found).toEqual([])
})

it('F22: with as many, every list comes at once', async () => {
  await using neptune = await start()
  const slow: [path: string, took: number][] = []
  for (const path of listsOf(place, 'x'.repeat(22))) {
    const times: number[] = []
    let cursor = ''
    for (let i = 0; i < rounds; i++) {
      const begun = performance.now()
      const reply = await neptune.get(
        `${path}${cursor && `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`}`,
      )
      const page = await reply.json()
      times.push(performance.now() - begun)
      expect(reply.status, path).toBe(200)
      cursor = page.next ?? ''
    }
    slow.push([path, times.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95) - 1] ?? 0])
  }
  const shown = slow.toSorted(([, a], [, b]) => b - a).map(([path, took]) => `  ${took.toFixed(1).padStart(6)} ${path}`)
  process.stdout.write(`F22: p95 ms on PostgreSQL\n${shown.join('\n')}\n`)
  expect(slow.filter(([path, took]) => took >= (path === '/v1/stats' ? 200 : 300))).toEqual([])
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

/** What PostgreSQL wrote of every question: a line, and behind it, each after a tab, those of its plan. */
function plansIn(output: string): { text: string; plan: Plan }[] {
  return [...output.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, json = '']) => {
    const { 'Query Text': text, Plan: plan } = JSON.parse(json.replaceAll(/^\t/gm, ''))
    return { text, plan }
  })
}

/** How many rows each part of a plan looked at, whether it took them or not. */
function readsOf(plan: Plan): { node: string; table: string; rows: number }[] {
  const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const isScan = plan['Node Type'].includes('Scan') && plan['Relation Name'] !== undefined
  const own = isScan
    ? [{ node: plan['Node Type'], table: plan['Relation Name'] ?? '', rows: Math.round(each * plan['Actual Loops']) }]
    : []
  return [...own, ...(plan.Plans ?? []).flatMap(readsOf)]
}
