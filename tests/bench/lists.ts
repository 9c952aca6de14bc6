import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from '../support/fill.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'

/** How long lists take with a thousand files and with a million, over HTTP, on one Neptune each: `npm run bench:lists`. */
const sizes = [1_000, Number(process.argv[2] ?? 1_000_000)]
const rounds = 60
const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'error', THUMBNAILS: 'off' }

async function start(files: number) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  const DATA_DIR = join(folder, 'data')
  await (await startNeptune({ ...settings, DATA_DIR })).stop()
  fill(join(DATA_DIR, 'neptune.db'), { files })
  const neptune = await startNeptune({ ...settings, DATA_DIR })
  const reply = await fetch(`${neptune.url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const headers = { authorization: `Bearer ${(await reply.json()).token}` }
  const get = async (path: string) => (await fetch(neptune.url + path, { headers })).json()
  return { get, close: () => neptune[Symbol.asyncDispose]().then(() => rmSync(folder, { recursive: true, force: true })) }
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

const neptunes = []
for (const size of sizes) neptunes.push(await start(size))
const middle = (await neptunes[0]?.get('/v1/file?limit=1'))?.data[0]
const cases: Record<string, (next: string) => string> = {
  'first page': () => '/v1/file',
  'next page': (next) => `/v1/file?cursor=${next}`,
  'first page by name': () => '/v1/file?sort=name',
  'first page by size': () => '/v1/file?sort=-size',
  'search for few': () => '/v1/file?search=rs%20plan',
  'search for one': () => `/v1/file?search=${encodeURIComponent(middle.file_name.slice(0, 12))}`,
  'search for many': () => '/v1/file?search=report',
  'search for none': () => '/v1/file?search=nothing%20like%20it',
  totals: () => '/v1/stats',
  directories: () => '/v1/directory',
}
process.stdout.write(`${'median ms'.padEnd(22)}${sizes.map((n) => String(n).padStart(12)).join('')}       ratio\n`)
for (const [name, path] of Object.entries(cases)) {
  const times: number[][] = sizes.map(() => [])
  const nexts = await Promise.all(neptunes.map(async ({ get }) => (await get('/v1/file')).next ?? ''))
  for (let round = 0; round < rounds; round++) {
    for (const [i, { get }] of neptunes.entries()) {
      const begun = performance.now()
      await get(path(nexts[i] ?? ''))
      times[i]?.push(performance.now() - begun)
    }
  }
  const [small = 0, large = 0] = times.map(median)
  process.stdout.write(
    `${name.padEnd(22)}${small.toFixed(2).padStart(12)}${large.toFixed(2).padStart(12)}${(large / small).toFixed(2).padStart(12)}\n`,
  )
}
for (const { close } of neptunes) await close()
