import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { toNameKey } from '../../lib/names/name-key.ts'
import { newId } from '../../lib/secrets.ts'
import { readZip } from '../../lib/testing.ts'
import { toSafeFileName } from '../../lib/zip/zip-names.ts'
import { toBearerHeader } from '../../testing.ts'
import { insertFile } from '../file/file.repo.ts'
import { openFileOffice } from '../file/testing.ts'
import { downloadDirectory } from './download.service.ts'
import { openZip } from './zip.service.ts'

type Office = Awaited<ReturnType<typeof openFileOffice>>

const entriesOf = (zip: Buffer) => readZip({ length: zip.length, read: async (start, end) => zip.subarray(start, end) })

/** Adds files without bytes, with names long enough that their list does not stay in memory. */
async function addEmptyFiles({ deps, folder, directory, company }: Office, count: number) {
  const row = {
    directory_id: directory,
    company_id: company,
    kind: 'other',
    content_type: 'text/plain',
    thumbnail: 'none',
  } as const
  const created_at = deps.now().toISOString()
  for (let n = 0; n < count; n++) {
    const id = newId()
    const path = join(folder, 'blobs', deps.blobs.getRelativePath?.(id) ?? '')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    const name = `${String(n).padStart(5, '0')} ${'x'.repeat(240)}`
    await insertFile(deps.db, { ...row, id, blob_id: id, name, size: 0, sha256: '', crc32: 0, created_at })
  }
}

/** Starts a download whose bytes are read on demand. */
async function beginDownload({ origin }: Office, path: string, headers: Record<string, string>) {
  const sent = request(origin + path, { headers, agent: false }).end()
  const reply = await new Promise<import('node:http').IncomingMessage>((resolve) => sent.once('response', resolve))
  return {
    status: reply.statusCode,
    headers: reply.headers,
    async readRest() {
      const chunks: Buffer[] = []
      for await (const chunk of reply) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    disconnect: () => sent.destroy(),
  }
}

describe('the ZIP of a directory', () => {
  it('contains the files as they were when it began, whatever happens to them meanwhile', async () => {
    await using server = await openFileOffice()
    const { kim, directory } = server
    await addEmptyFiles(server, 1100)
    await server.put(directory, '.first.bin', randomBytes(20_000_000)) // more than the socket buffers hold
    const files = []
    for (const name of ['a.txt', 'b.txt', 'c.txt']) files.push((await server.put(directory, name, 'as it was')).data)
    const path = `/v1/directory/${directory}/zip`
    const download = await beginDownload(server, path, kim)

    await server.json(kim, 'PATCH', `/v1/file/${files[0]?.id}`, { file_name: 'renamed to something longer.txt' })
    await server.json(kim, 'DELETE', `/v1/file/${files[1]?.id}`)
    await server.put(directory, 'c.txt', 'replaced', { query: '?conflict=replace' })
    await server.put(directory, '!added.txt', 'added')

    const zip = await download.readRest()
    expect(download.headers['content-length']).toBe(String(zip.length))
    const [first, ...rest] = await entriesOf(zip)
    expect(first).toMatchObject({ name: '.first.bin', size: 20_000_000 })
    expect(rest.filter(({ size }) => size === 0)).toHaveLength(1100)
    const small = rest.filter(({ size }) => size > 0).map(({ name, bytes }) => `${name}: ${bytes}`)
    expect(small).toEqual(['a.txt: as it was', 'b.txt: as it was', 'c.txt: as it was'])

    const head = await fetch(server.origin + path, { method: 'HEAD', headers: kim })
    expect(head.headers.get('etag')).not.toBe(download.headers.etag)
    const again = await (await server.get(path)).arrayBuffer()
    expect(head.headers.get('content-length')).toBe(String(again.byteLength))
  })

  it('has names that are safe to extract and unique, whatever the files are called', async () => {
    await using server = await openFileOffice()
    const stored = [
      'C:x',
      'x::$DATA',
      'CON',
      'aux.txt',
      'NUL',
      'COM1.log',
      'a<b>.txt',
      'a|b',
      'a?b',
      'A_B',
      '"q" what?.pdf',
      'plain.txt',
    ]
    for (const name of stored) await server.put(server.directory, name, name)
    const zip = Buffer.from(await (await server.get(`/v1/directory/${server.directory}/zip`)).arrayBuffer())
    const entries = await entriesOf(zip)
    expect(new Set(entries.map(({ bytes }) => bytes.toString()))).toEqual(new Set(stored))
    expect(new Set(entries.map(({ name }) => toNameKey(name))).size).toBe(stored.length)
    for (const { name } of entries) expect(toSafeFileName(name)).toBe(name)
    const nameOf = (content: string) => entries.find(({ bytes }) => bytes.toString() === content)?.name
    expect([nameOf('C:x'), nameOf('CON'), nameOf('plain.txt')]).toEqual(['C_x', '_CON', 'plain.txt'])
    expect((await server.listNames()).toSorted()).toEqual(stored.toSorted())
  })

  it('is not opened for a client that has disconnected', async () => {
    await using server = await openFileOffice()
    const actor = { kind: 'staff', userId: 'kim' } as Parameters<typeof openZip>[1]
    const source = {
      id: server.directory,
      company_id: '',
      name: '',
      archive: '',
      directories: [{ id: server.directory, name: null, created_at: '' }],
      files: [],
      items: [],
    }
    const opening = openZip(server.deps, actor, source, { isHead: true, signal: AbortSignal.abort() })
    await expect(opening).rejects.toMatchObject({ code: 'server.busy' })
  })
})

describe('ZIPs at the same time', () => {
  it('release their slot when the client disconnects before the first byte', async () => {
    await using server = await openFileOffice()
    const actor = { kind: 'staff', userId: 'kim', companyId: server.company } as Parameters<typeof downloadDirectory>[1]
    const readOptions = { isHead: false, signal: new AbortController().signal }
    for (let i = 0; i < 10; i++) {
      const download = await downloadDirectory(server.deps, actor, server.directory, readOptions)
      const response = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => done() })
      response.destroy()
      await once(response, 'close')
      const { sendTo } = await download.open()
      await expect(sendTo(response, { start: 0, end: download.size })).rejects.toThrow()
      await download.close()
    }
  })

  it('are limited per user: another one is refused with Retry-After until one has ended', async () => {
    await using server = await openFileOffice()
    const { kim, directory } = server
    await server.put(directory, 'large.bin', randomBytes(20_000_000))
    const path = `/v1/directory/${directory}/zip`
    const running = await Promise.all(Array.from({ length: 8 }, () => beginDownload(server, path, kim)))
    expect(running.map(({ status }) => status)).toEqual(running.map(() => 200))

    const refused = await server.get(path)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(await refused.json()).toMatchObject({ code: 'download.too_many' })
    expect(await server.json(kim, 'POST', `/v1/directory/${directory}/ticket`)).toMatchObject({ code: 'download.too_many' })
    expect((await server.get(path, { range: 'bytes=0-9' }, server.admin)).status).toBe(206)

    running[0]?.disconnect()
    await expect.poll(async () => (await server.get(path, { range: 'bytes=0-9' })).status).toBe(206)
    for (const { disconnect } of running) disconnect()
  })

  it('are limited per link and per recipient, while staff are still served', async () => {
    await using server = await openFileOffice({ TRUST_PROXY: '127.0.0.1' })
    const { kim, directory, company } = server
    await server.put(directory, 'large.bin', randomBytes(20_000_000))
    const { key, accessCode } = (await server.json(kim, 'POST', '/v1/link/initialise', { company, directory })).data
    const link = { linkType: 'LINK_DIRECTORY', directory, key, accessCode, expiry: '2026-12-30' }
    await server.json(kim, 'POST', '/v1/link', link)
    const { token } = (await server.json({}, 'POST', '/v1/link/verify', { accessKey: key, accessCode })).data
    const path = `/v1/directory/${directory}/zip`
    const beginFrom = (address: string) => beginDownload(server, path, { ...toBearerHeader(token), 'x-forwarded-for': address })

    const running = await Promise.all(Array.from({ length: 8 }, () => beginFrom('192.0.2.1')))
    const further = [await beginFrom('192.0.2.1'), await beginFrom('192.0.2.2')]
    expect([...running, ...further].map(({ status }) => status)).toEqual([...running.map(() => 200), 429, 200])
    running.push(...(await Promise.all(Array.from({ length: 7 }, () => beginFrom('192.0.2.2')))))
    expect((await beginFrom('192.0.2.3')).status).toBe(429)
    expect((await server.get(path, { range: 'bytes=0-9' })).status).toBe(206)
    for (const { disconnect } of [...running, ...further]) disconnect()
  })
})
