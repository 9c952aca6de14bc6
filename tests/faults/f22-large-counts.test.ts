import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fill } from '../support/fill.ts'
import { memoryOf } from '../support/memory.ts'
import { settings, signIn } from '../support/signed-in.ts'
import { startNeptune } from '../support/start-neptune.ts'

const files = 1_000_000
const links = 100_000
const inOneDirectory = 10_000
const rounds = 20

const folder = mkdtempSync(join(tmpdir(), 'neptune-many-'))
const DATA_DIR = join(folder, 'data')
let directory = ''
beforeAll(async () => {
  await (await startNeptune({ ...settings, DATA_DIR })).stop()
  directory = fill(join(DATA_DIR, 'neptune.db'), { files, links, inOneDirectory })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('F22: with a million files, a hundred thousand links and ten thousand files in one directory, lists come at once and memory stays', async () => {
  await using neptune = await signIn(await startNeptune({ ...settings, DATA_DIR }))
  const get = async (path: string) => {
    const begun = performance.now()
    const reply = await neptune.get(path)
    expect(reply.status, path).toBe(200)
    const body = await reply.json()
    return { took: performance.now() - begun, body }
  }
  /** So many pages behind one another, or the same again where there is but one. */
  const walk = async (path: string) => {
    const times: number[] = []
    let cursor = ''
    for (let i = 0; i < rounds; i++) {
      const { took, body } = await get(
        `${path}${cursor && `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`}`,
      )
      times.push(took)
      cursor = body.next ?? ''
    }
    return times.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95) - 1] ?? 0
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
  for (const path of lists) await walk(path)
  const before = memoryOf(neptune.process.pid)
  const slow: Record<string, number> = {}
  for (const path of lists) slow[path] = Math.round(await walk(path))
  const stats = await walk('/v1/stats')
  const grown = memoryOf(neptune.process.pid) - before
  const shown = Object.entries(slow).map(([path, took]) => `  ${path} ${took}`)
  process.stdout.write(
    `F22: stats ${Math.round(stats)} ms, memory +${Math.round(grown)} MiB of ${Math.round(before)}; p95 ms\n${shown.join('\n')}\n`,
  )
  expect(Object.entries(slow).filter(([, took]) => took >= 300)).toEqual([])
  expect(stats).toBeLessThan(200)
  expect(grown, 'MiB grown by as many pages again').toBeLessThan(50)
})
