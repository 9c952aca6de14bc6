import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inOwnMounts, login } from '../support/signed-in.ts'
import { SetHistory } from './history.ts'
import { body, type House, openHouse } from './house.ts'
import { randomOf } from './random.ts'

/** A house on a file system of its own, of 64 MiB. */
async function openSmallHouse(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-small-'))
  return openHouse(more, { folder, wrapper: inOwnMounts(folder, 'mount -t tmpfs -o size=64m tmpfs "$0"') })
}

/** Takes room, as another program would: so many bytes, or all there are. */
function takeRoom(house: House, bytes = freeBytes(house)) {
  for (let size = bytes; size >= 1; size = Math.floor(size / 2)) {
    try {
      writeFileSync(elsewhere(house), Buffer.alloc(size), { flag: 'a' })
      if (size === bytes) return
    } catch {
      // That was more than there is: then half of it.
    }
  }
}

const freeBytes = (house: House) => {
  const { bavail, bsize } = statfsSync(house.seen())
  return bavail * bsize
}
const giveBackRoom = (house: House) => rmSync(elsewhere(house))
const elsewhere = (house: House) => join(house.seen(), '../somebody-elses')

it('F05: a full disk is said with 507; what is there is served, people sign in, and with room all goes on by itself', async () => {
  const random = randomOf('F05')
  const history = new SetHistory()
  await using house = await openSmallHouse()
  takeRoom(house, 16 * 2 ** 20)
  const clients = Array.from({ length: 4 }, (_, client) => ({ client, random: random.fork() }))
  const statuses = await Promise.all(
    clients.map(async ({ client, random }) => {
      // Smaller and smaller ones, until not even a few bytes are taken.
      let last: number | undefined
      for (let i = 0, most = 4_000_000; most > 100; i++) {
        const way = random.pick(['put', 'tus'] as const)
        last = (await house.upload(history, `${client}-${i}.bin`, body(random, Math.ceil(most / 4), most), way)).status
        if (last !== 200 && last !== 204) most = Math.floor(most / 4)
      }
      return last
    }),
  )
  expect(statuses).toEqual([507, 507, 507, 507])
  await house.expectWhole(history)
  expect(freeBytes(house), 'room is left for the database').toBeGreaterThan(2 ** 20)
  expect((await login(house.url)).status).toBe(200)
  expect((await house.call('GET', '/v1/stats'))?.body.data.files).toBe(history.count('ok'))
  expect((await house.call('GET', '/readyz'))?.status).toBe(200)

  takeRoom(house)
  for (let i = 0; i < 5; i++) {
    const { status } = await house.upload(history, `full-${i}.bin`, body(random, 1, 100_000))
    expect(status).toBeOneOf([507, 503])
  }
  expect((await house.call('GET', '/healthz'))?.status).toBe(200)
  expect(history.violations(await house.found()), 'what is there comes down, though nothing can be written').toEqual([])
  giveBackRoom(house)
  expect((await login(house.url)).status).toBe(200)
  // What came in pieces may still go on. Whatever else was refused has left nothing.
  const waiting = new Set(house.query<{ id: string }>('select id from upload').map(({ id }) => id))
  expect(readdirSync(join(house.seen(), 'tmp')).filter((name) => !waiting.has(name))).toEqual([])
  expect((await house.upload(history, 'again.bin', body(random, 1, 1000))).entry.outcome).toBe('ok')
  await house.expectWhole(history)
})

it('F05: a quota holds under twenty clients at once, and is what the rows add up to', async () => {
  const random = randomOf('F05 quota')
  const history = new SetHistory()
  const quota = 3_000_000
  await using house = await openHouse({ COMPANY_QUOTA_BYTES: String(quota) })
  const clients = Array.from({ length: 20 }, (_, client) => ({ client, random: random.fork() }))
  await Promise.all(
    clients.map(async ({ client, random }) => {
      for (let i = 0; i < 12; i++) {
        const way = random.pick(['put', 'tus'] as const)
        const { status } = await house.upload(history, `${client}-${i}.bin`, body(random, 1, 60_000), way)
        expect(status).toBeOneOf([200, 204, 507])
      }
    }),
  )
  expect(history.count('fail'), 'the quota was reached').toBeGreaterThan(0)
  await house.expectWhole(history, { quota })
})
