import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { postLogin, wrapInMountNamespace } from '../support/start-signed-in.ts'
import { UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { makeBody, openFaultServer, type TestServer } from './test-server.ts'

/** Opens a server on its own 64 MiB file system. */
async function openSmallServer(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-small-'))
  return openFaultServer(more, { folder, wrapper: wrapInMountNamespace(folder, 'mount -t tmpfs -o size=64m tmpfs "$0"') })
}

/** Uses up disk space, as another program would: this many bytes, or all that are free. */
function useUpSpace(server: TestServer, bytes = countFreeBytes(server)) {
  for (let size = bytes; size >= 1; size = Math.floor(size / 2)) {
    try {
      writeFileSync(fillerPath(server), Buffer.alloc(size), { flag: 'a' })
      if (size === bytes) return
    } catch {
      // Not enough space: tries half.
    }
  }
}

const countFreeBytes = (server: TestServer) => {
  const { bavail, bsize } = statfsSync(server.visibleDataDir())
  return bavail * bsize
}
const releaseSpace = (server: TestServer) => rmSync(fillerPath(server))
const fillerPath = (server: TestServer) => join(server.visibleDataDir(), '../other-program')

it('F05: reports a full disk with 507, keeps serving files and sign-ins, and recovers by itself when space is freed', async () => {
  const random = makeRandom('F05')
  const history = new UploadHistory()
  await using server = await openSmallServer()
  useUpSpace(server, 16 * 2 ** 20)
  const clients = Array.from({ length: 4 }, (_, client) => ({ client, random: random.fork() }))
  const statuses = await Promise.all(
    clients.map(async ({ client, random }) => {
      // Smaller and smaller files, until not even a few bytes are accepted.
      let last: number | undefined
      for (let i = 0, most = 4_000_000; most > 100; i++) {
        const method = random.pick(['put', 'tus'] as const)
        last = (await server.upload(history, `${client}-${i}.bin`, makeBody(random, Math.ceil(most / 4), most), method)).status
        if (last !== 200 && last !== 204) most = Math.floor(most / 4)
      }
      return last
    }),
  )
  expect(statuses).toEqual([507, 507, 507, 507])
  await server.expectConsistent(history)
  expect(countFreeBytes(server), 'space is left for the database').toBeGreaterThan(2 ** 20)
  expect((await postLogin(server.url)).status).toBe(200)
  expect((await server.call('GET', '/v1/stats'))?.body.data.files).toBe(history.count('ok'))
  expect((await server.call('GET', '/readyz'))?.status).toBe(200)

  useUpSpace(server)
  for (let i = 0; i < 5; i++) {
    const { status } = await server.upload(history, `full-${i}.bin`, makeBody(random, 1, 100_000))
    expect(status).toBeOneOf([507, 503])
  }
  expect((await server.call('GET', '/healthz'))?.status).toBe(200)
  expect(
    history.findViolations(await server.findFiles()),
    'existing files can be downloaded although nothing can be written',
  ).toEqual([])
  releaseSpace(server)
  expect((await postLogin(server.url)).status).toBe(200)
  // Only unfinished tus uploads may leave files in tmp.
  const unfinished = new Set(server.query<{ id: string }>('select id from upload').map(({ id }) => id))
  expect(readdirSync(join(server.visibleDataDir(), 'tmp')).filter((name) => !unfinished.has(name))).toEqual([])
  expect((await server.upload(history, 'again.bin', makeBody(random, 1, 1000))).entry.outcome).toBe('ok')
  await server.expectConsistent(history)
})

it('F05: enforces a quota under twenty concurrent clients, consistent with the sum of the rows', async () => {
  const random = makeRandom('F05 quota')
  const history = new UploadHistory()
  const quota = 3_000_000
  await using server = await openFaultServer({ COMPANY_QUOTA_BYTES: String(quota) })
  const clients = Array.from({ length: 20 }, (_, client) => ({ client, random: random.fork() }))
  await Promise.all(
    clients.map(async ({ client, random }) => {
      for (let i = 0; i < 12; i++) {
        const method = random.pick(['put', 'tus'] as const)
        const { status } = await server.upload(history, `${client}-${i}.bin`, makeBody(random, 1, 60_000), method)
        expect(status).toBeOneOf([200, 204, 507])
      }
    }),
  )
  expect(history.count('fail'), 'the quota was reached').toBeGreaterThan(0)
  await server.expectConsistent(history, { quota })
})
