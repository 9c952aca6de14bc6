import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillSqlite } from '../support/load/fill-sqlite.ts'
import { readMemoryMiB } from '../support/read-memory.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { settings, signInAdmin } from '../support/start-signed-in.ts'

const files = 1_000_000
const links = 100_000
const inOneDirectory = 10_000
const rounds = 20

const folder = mkdtempSync(join(tmpdir(), 'neptune-many-'))
const DATA_DIR = join(folder, 'data')
let directory = ''
beforeAll(async () => {
  await (await startNeptune({ ...settings, DATA_DIR })).stop()
  directory = fillSqlite(join(DATA_DIR, 'neptune.db'), { files, links, inOneDirectory })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('F22: returns lists quickly with constant memory for a million files, 100,000 links and 10,000 files in one directory', async () => {
  await using neptune = await signInAdmin(await startNeptune({ ...settings, DATA_DIR }))
  const get = async (path: string) => {
    const startedAt = performance.now()
    const reply = await neptune.get(path)
    expect(reply.status, path).toBe(200)
    const body = await reply.json()
    return { took: performance.now() - startedAt, body }
  }
  /** Requests successive pages, or the same page repeatedly if there is only one. Returns the median in ms. */
  const measurePages = async (path: string) => {
    const times: number[] = []
    let cursor = ''
    for (let i = 0; i < rounds; i++) {
      const { took, body } = await get(
        `${path}${cursor && `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`}`,
      )
      times.push(took)
      cursor = body.next ?? ''
    }
    return times.toSorted((a, b) => a - b)[rounds / 2] ?? 0
  }
  expect((await get('/v1/stats')).body.data.files).toBe(files)
  const lists = [
    '/v1/file',
    '/v1/file?sort=name',
    '/v1/file?sort=-size&limit=200',
    '/v1/file?search=rs%20plan',
    '/v1/file?search=nothing%20like%20it',
    `/v1/file?directory=${directory}`,
    `/v1/file?directory=${directory}&sort=name&limit=200`,
    '/v1/link',
    '/v1/link?sort=name&limit=200',
    '/v1/link?state=active',
    '/v1/link?search=plan',
    '/v1/directory',
    '/v1/activity',
  ]
  for (const path of lists) await measurePages(path)
  const before = readMemoryMiB(neptune.process.pid)
  const durations: Record<string, number> = {}
  for (const path of lists) durations[path] = Math.round(await measurePages(path))
  const stats = await measurePages('/v1/stats')
  const grown = readMemoryMiB(neptune.process.pid) - before
  const report = Object.entries(durations).map(([path, took]) => `  ${path} ${took}`)
  process.stdout.write(
    `F22: stats ${Math.round(stats)} ms, memory +${Math.round(grown)} MiB of ${Math.round(before)}; p50 ms\n${report.join('\n')}\n`,
  )
  expect(Object.entries(durations).filter(([, took]) => took >= 300)).toEqual([])
  expect(stats).toBeLessThan(200)
  expect(grown, 'MiB of growth in the second round').toBeLessThan(50)
})
