import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { admin, startNeptune } from '../support/start-neptune.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'error', THUMBNAILS: 'off' }
const fault = (what: string) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/fault.ts')}`,
  NEPTUNE_FAULT: what,
})
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Row {
  id: string
  file_name: string
  sha256: string
}

/** A Neptune on a folder that outlives it, and somebody who uploads. */
async function openOffice(folder: string, more: Record<string, string> = {}, wrapper: string[] = []) {
  const neptune = await startNeptune({ ...settings, DATA_DIR: join(folder, 'data'), ...more }, wrapper)
  const login = await fetch(`${neptune.url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const session = (await login.json()) as { token: string; info: { company: string } }
  const headers = { authorization: `Bearer ${session.token}` }
  const get = (path: string) => fetch(neptune.url + path, { headers })
  const directories = async () => (await (await get('/v1/directory')).json()).data as { id: string }[]
  if ((await directories()).length === 0) {
    await fetch(`${neptune.url}/v1/directory`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ directory: 'Plans', client: session.info.company }),
    })
  }
  const directory = (await directories())[0]?.id ?? ''
  /** The status, or undefined when there was no answer. */
  const put = async (name: string, bytes: Uint8Array): Promise<number | undefined> => {
    const form = new FormData()
    form.set('file', new Blob([Buffer.from(bytes)]))
    try {
      return (await fetch(`${neptune.url}/v1/file/${directory}/${name}`, { method: 'PUT', headers, body: form })).status
    } catch {
      return undefined
    }
  }
  const list = async () => (await (await get('/v1/file?limit=200')).json()).data as Row[]
  /** Every file that is listed, as it comes down. */
  const sums = async () =>
    Object.fromEntries(
      await Promise.all(
        (await list()).map(async ({ id, file_name, sha256 }) => {
          const reply = await get(`/v1/file/${id}`)
          expect(reply.status, file_name).toBe(200)
          const sum = digest(new Uint8Array(await reply.arrayBuffer()))
          expect(sum, file_name).toBe(sha256)
          return [file_name, sum] as const
        }),
      ),
    )
  return { ...neptune, headers, directory, get, put, list, sums, temporary: () => readdirSync(join(folder, 'data/tmp')).length }
}

async function inFolder(work: (folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-files-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.concurrent('a kill', () => {
  const bytes = randomBytes(300_000)
  const moments = ['before answer', ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap((n) => [`before ${n}`, `after ${n}`])]

  it.each(moments)('%s leaves a whole file or none, and the next start needs no hand', async (moment) => {
    await inFolder(async (folder) => {
      let status: number | undefined
      {
        await using office = await openOffice(folder, fault(`kill ${moment}`))
        status = await office.put('plan.bin', bytes)
        // Past the last step the fault has nothing to hit, and all is well.
        if (status === undefined) await office.ended
        else expect(moment).not.toMatch(/answer|(before|after) [1-8]$/)
      }
      await using office = await openOffice(folder)
      const found = await office.sums()
      if (status === 200) expect(Object.keys(found)).toEqual(['plan.bin'])
      for (const sum of Object.values(found)) expect(sum).toBe(digest(bytes))
      expect(await office.put('next.bin', bytes)).toBe(200)
    })
  })

  it('at any moment of many uploads loses none that was acknowledged', async () => {
    await inFolder(async (folder) => {
      const acknowledged = new Map<string, string>()
      const sent = new Map<string, string>()
      for (let round = 0; round < 6; round++) {
        await using office = await openOffice(folder)
        const upload = async (client: number) => {
          for (let i = 0; ; i++) {
            const name = `${round}-${client}-${i}.bin`
            const body = randomBytes(1 + Math.floor(Math.random() * 400_000))
            sent.set(name, digest(body))
            if ((await office.put(name, body)) !== 200) return
            acknowledged.set(name, digest(body))
          }
        }
        setTimeout(() => office.process.kill('SIGKILL'), 300 + Math.random() * 900)
        await Promise.all([1, 2, 3, 4].map(upload))
      }
      await using office = await openOffice(folder)
      for (let cursor = '', seen = 0; ; ) {
        const page = await (await office.get(`/v1/file?limit=100${cursor && `&cursor=${cursor}`}`)).json()
        for (const { file_name, sha256 } of page.data as Row[]) {
          expect(sha256, file_name).toBe(sent.get(file_name))
          acknowledged.delete(file_name)
          seen++
        }
        cursor = page.next ?? ''
        if (!cursor) {
          expect(seen).toBeGreaterThan(0)
          break
        }
      }
      expect([...acknowledged.keys()]).toEqual([])
    })
  })
})

describe.concurrent('a disk', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'that fails at step %i gets the upload refused, and the next one goes through',
    async (n) => {
      await inFolder(async (folder) => {
        await using office = await openOffice(folder, fault(`EIO at ${n}`))
        const bytes = randomBytes(300_000)
        const status = await office.put('plan.bin', bytes)
        const isHit = office.output().includes('fault at step') && office.output().includes(': sync')
        expect(status).toBe(isHit ? 500 : 200)
        expect(Object.keys(await office.sums())).toHaveLength(isHit ? 0 : 1)
        expect(await office.put('next.bin', bytes)).toBe(200)
      })
    },
  )

  it('that is full gets 507; the rest works, and so does uploading once there is room', async () => {
    await inFolder(async (folder) => {
      // A file system of its own, which only this Neptune sees; without being root, in a user namespace.
      const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']
      const script = 'mount -t tmpfs -o size=64m tmpfs "$0" && exec "$@"'
      const wrapper = ['unshare', ...asUser, '--mount', 'sh', '-c', script, folder]
      await using office = await openOffice(folder, {}, wrapper)
      const bytes = randomBytes(10 * 2 ** 20)
      const statuses: (number | undefined)[] = []
      for (let i = 0; i < 8; i++) statuses.push(await office.put(`${i}.bin`, bytes))
      expect(statuses).toContain(200)
      expect(statuses.at(-1)).toBe(507)
      const kept = statuses.filter((status) => status === 200).length
      expect(Object.values(await office.sums())).toEqual(Array.from({ length: kept }, () => digest(bytes)))
      expect((await office.get('/v1/identity')).status).toBe(200)
      expect((await (await office.get('/v1/stats')).json()).data.files).toBe(kept)
      // Room is made as the trash makes it, without waiting thirty days: by the file itself.
      const seen = `/proc/${office.process.pid}/root${folder}/data`
      const blobs = readdirSync(join(seen, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(readdirSync(join(seen, 'tmp'))).toEqual([])
      for (const entry of blobs.slice(0, 3)) rmSync(join(entry.parentPath, entry.name))
      expect(await office.put('again.bin', bytes)).toBe(200)
    })
  })
})

describe('clients', () => {
  it('that break off or crawl leave no temporary file and no open descriptor', async () => {
    await inFolder(async (folder) => {
      await using office = await openOffice(folder)
      const descriptors = () => readdirSync(`/proc/${office.process.pid}/fd`).length
      await office.put('first.bin', randomBytes(1000)) // whatever is opened once is open now
      const before = descriptors()
      const { hostname, port } = new URL(office.url)
      const begin = () => {
        const socket = connect(Number(port), hostname).on('error', () => undefined)
        const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`
        socket.write(
          `PUT /v1/file/${office.directory}/slow.bin HTTP/1.1\r\nhost: x\r\nauthorization: ${office.headers.authorization}\r\n` +
            `content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n${head}`,
        )
        socket.write(randomBytes(Math.floor(Math.random() * 100_000)))
        return socket
      }
      const sockets = Array.from({ length: 60 }, begin)
      await vi.waitFor(() => expect(office.temporary()).toBe(60), { timeout: 30_000 })
      for (const socket of sockets) socket.destroy()
      await vi.waitFor(() => expect(office.temporary()).toBe(0), { timeout: 30_000 })
      await vi.waitFor(() => expect(descriptors()).toBeLessThanOrEqual(before + 2), { timeout: 30_000 })
      expect((await office.list()).map(({ file_name }) => file_name)).toEqual(['first.bin'])
    })
  })

  it('P37: that read slowly, two hundred of them, cost little memory and keep nobody waiting', async () => {
    await inFolder(async (folder) => {
      await using office = await openOffice(folder)
      await office.put('large.bin', randomBytes(50 * 2 ** 20))
      const [file] = await office.list()
      const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${office.process.pid}/status`, 'utf8'))?.[1]) / 1024
      const before = memory()
      const { hostname, port } = new URL(office.url)
      const readers = Array.from({ length: 200 }, () => {
        const socket = connect(Number(port), hostname).on('error', () => undefined)
        socket.write(`GET /v1/file/${file?.id} HTTP/1.1\r\nhost: x\r\nauthorization: ${office.headers.authorization}\r\n\r\n`)
        return socket
      })
      // Each takes its first bytes and then no more.
      await Promise.all(readers.map((socket) => new Promise((resolve) => socket.once('data', () => resolve(socket.pause())))))
      for (let i = 0; i < 20; i++) expect((await office.get('/v1/stats')).status).toBe(200)
      expect(memory() - before).toBeLessThan(100)
      for (const socket of readers) socket.destroy()
    })
  })
})
