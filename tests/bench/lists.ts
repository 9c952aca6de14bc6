import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { admin, startNeptune } from '../support/start-neptune.ts'

/** How long lists take with a thousand files and with a million, over HTTP, on one Neptune each: `npm run bench:lists`. */
const sizes = [1_000, Number(process.argv[2] ?? 1_000_000)]
const rounds = 60
const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'error', THUMBNAILS: 'off' }
const id = () => randomBytes(16).toString('base64url')
const words = ['report', 'invoice', 'contract', 'drawing', 'offer', 'photo', 'minutes', 'budget', 'plan', 'letter']

async function start(files: number) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  const DATA_DIR = join(folder, 'data')
  await (await startNeptune({ ...settings, DATA_DIR })).stop()
  fill(join(DATA_DIR, 'neptune.db'), files)
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

/** As uploads would have left it, without the bytes. */
function fill(path: string, files: number) {
  const db = new DatabaseSync(path)
  const { id: company } = db.prepare('select id from company').get() as { id: string }
  const directories = Array.from({ length: 100 }, (_, i) => ({ id: id(), name: `directory ${i}` }))
  const addDirectory = db.prepare(
    'insert into directory (id, company_id, name, name_key, files, bytes, created_at) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const addFile = db.prepare(
    `insert into file (id, company_id, directory_id, name, name_key, kind, content_type, size, sha256, crc32, created_at, thumbnail)
     values (?, ?, ?, ?, ?, 'text', 'text/plain', ?, ?, 0, ?, 'none')`,
  )
  db.exec('begin')
  for (const { id, name } of directories)
    addDirectory.run(id, company, name, name, files / 100, files * 10, new Date(0).toISOString())
  for (let i = 0; i < files; i++) {
    const name = `${words[i % 10]} ${i.toString(36)} ${words[Math.floor(i / 10) % 10]}.txt`
    const at = new Date(1_700_000_000_000 + i * 1000).toISOString()
    addFile.run(id(), company, directories[i % 100]?.id ?? '', name, name, (i * 7919) % 1_000_000, 'a'.repeat(64), at)
  }
  db.exec('commit')
  db.close()
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
