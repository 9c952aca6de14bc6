import { readdirSync } from 'node:fs'
import { get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openOffice, readToEnd } from '../link/testing.ts'
import { sweepUploads } from '../upload/upload-sweep.service.ts'

type Headers = Record<string, string>

const hour = 60 * 60_000
const tus = { 'tus-resumable': '1.0.0' }

/** Starts a server in which Eve of Globex has access to all companies, and Rob to Kim's directory, through a link. */
async function openFirm() {
  const office = await openOffice()
  const acme = await office.companyOf(office.kim)
  await office.deps.db.updateTable('user').set({ access: 'all' }).where('email', '=', 'eve@globex.example').execute()
  const change = async (to: 'archive' | 'restore') =>
    expect((await office.call('POST', `/v1/admin/company/${acme}/${to}`, office.admin)).statusCode).toBe(200)
  const rob = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
  const callers: Record<string, Headers> = { kim: office.kim, eve: office.eve, rob }
  const listNames = async () =>
    (await office.data('GET', `/v1/file?directory=${office.plans}&sort=name`, office.admin)).map(
      ({ file_name }: { file_name: string }) => file_name,
    )
  const begin = async (who: Headers, length = 4) => {
    const metadata = `filename ${btoa('new.txt')},directory ${btoa(office.plans)}`
    const reply = await office.call('POST', '/v1/upload', {
      ...who,
      ...tus,
      'upload-length': String(length),
      'upload-metadata': metadata,
    })
    return String(reply.headers['location'])
  }
  const send = (who: Headers, url: string, offset: number, payload = 'ab') =>
    office.app.inject({
      method: 'PATCH',
      url,
      headers: { ...who, ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      payload,
    })
  const getOffset = async (who: Headers, url: string) =>
    (await office.app.inject({ method: 'HEAD', url, headers: { ...who, ...tus } })).headers['upload-offset']
  return {
    ...office,
    archive: () => change('archive'),
    restore: () => change('restore'),
    callers,
    listNames,
    begin,
    send,
    getOffset,
  }
}

/** What each caller gets: Kim's session doesn't work, Eve may add nothing, and Rob's link isn't available. */
const refusals = [
  ['kim', 401, 'session.missing'],
  ['eve', 409, 'company.archived'],
  ['rob', 401, 'link.paused'],
] as const

describe('an upload to a company that is being archived', () => {
  it.each(refusals)('is rejected for %s with %i while it is being sent', async (name, status, code) => {
    await using office = await openFirm()
    const origin = await office.listen()
    const upload = request(`${origin}/v1/file/${office.plans}/new.txt`, {
      method: 'PUT',
      headers: { ...office.callers[name], 'content-type': 'multipart/form-data; boundary=x' },
    })
    const replied = new Promise<[number | undefined, string]>((resolve) =>
      upload.on('response', async (reply) => resolve([reply.statusCode, JSON.parse((await reply.toArray()).join('')).code])),
    )
    upload.write('--x\r\ncontent-disposition: form-data; name="file"; filename="b"\r\n\r\nhalf')
    await expect.poll(() => readdirSync(join(office.folder, 'tmp'))).toHaveLength(1) // the server is receiving
    await office.archive()
    upload.end('\r\n--x--\r\n')
    expect(await replied).toEqual([status, code])
    expect(await office.listNames()).toEqual(['first.txt', 'second.txt'])
    expect(readdirSync(join(office.folder, 'tmp'))).toEqual([])
  })

  it.each(refusals)('can be resumed by %s once the company is restored, but not before (%i)', async (name, status, code) => {
    await using office = await openFirm()
    const who = office.callers[name] ?? {}
    const url = await office.begin(who)
    expect((await office.send(who, url, 0)).statusCode).toBe(204)
    await office.archive()
    const refused = await office.send(who, url, 2)
    expect([refused.statusCode, refused.json().code]).toEqual([status, code])
    await office.restore()
    expect((await office.send(who, url, 2)).statusCode).toBe(204)
    expect(await office.listNames()).toEqual(['first.txt', 'new.txt', 'second.txt'])
  })

  it('is not removed after an hour without progress', async () => {
    await using office = await openFirm()
    for (const who of Object.values(office.callers)) await office.send(who, await office.begin(who), 0)
    await office.archive()
    office.advance(2 * hour)
    await sweepUploads(office.deps)
    expect((await office.data('GET', '/v1/upload', office.admin)).length).toBe(3)
  })

  it('becomes a file only after the company is restored, even if all of its bytes have arrived', async () => {
    await using office = await openFirm()
    const url = await office.begin(office.eve)
    const id = url.split('/').at(-1) ?? ''
    await office.deps.blobs.append(id, Readable.from([Buffer.from('abcd')]), { offset: 0, maxSize: 4 }) // then a crash
    await office.archive()
    expect(await office.getOffset(office.eve, url)).toBe('4')
    expect(await office.listNames()).toEqual(['first.txt', 'second.txt'])
    await office.restore()
    expect(await office.getOffset(office.eve, url)).toBe('4')
    expect(await office.listNames()).toEqual(['first.txt', 'new.txt', 'second.txt'])
  })

  it('adds no file once the archive call has returned, even if both run at the same time', async () => {
    await using office = await openFirm()
    const uploads = Array.from({ length: 12 }, (_, i) => office.put(office.plans, `${i}.txt`, office.eve))
    await office.archive()
    const names = await office.listNames()
    const replies = await Promise.all(uploads)
    expect(await office.listNames()).toEqual(names)
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(names.length - 2)
    for (const reply of replies.filter(({ statusCode }) => statusCode !== 200)) expect(reply.json().code).toBe('company.archived')
  })
})

describe('a download from a company that is being archived', () => {
  const size = 24 * 1024 * 1024
  const start = async (office: Awaited<ReturnType<typeof openFirm>>, name: string, kind: 'file' | 'directory') => {
    const { id } = (await office.put(office.plans, 'big.bin', office.kim, 'x'.repeat(size))).json().data
    const origin = await office.listen()
    office.app.recheckIntervalMs = 50
    const path = kind === 'file' ? `/v1/file/${id}` : `/v1/directory/${office.plans}/zip`
    return new Promise<IncomingMessage>((resolve) => get(origin + path, { headers: office.callers[name] ?? {} }, resolve))
  }

  it.each([
    ['kim', 'file'],
    ['kim', 'directory'],
    ['rob', 'file'],
    ['rob', 'directory'],
  ] as const)('ends for %s, who downloads a %s', async (name, kind) => {
    await using office = await openFirm()
    const reply = await start(office, name, kind)
    expect(reply.statusCode).toBe(200)
    await office.archive()
    // The client has not read yet, so most bytes are still on the server when the server closes the connection.
    await expect.poll(() => promisify(office.app.server.getConnections.bind(office.app.server))()).toBe(0)
    expect(await readToEnd(reply)).toBeLessThan(size)
    expect(reply.complete).toBe(false)
  })

  it.each(['file', 'directory'] as const)('continues for staff with access, who download a %s', async (kind) => {
    await using office = await openFirm()
    const reply = await start(office, 'eve', kind)
    await office.archive()
    expect(await readToEnd(reply)).toBeGreaterThanOrEqual(size)
    expect(reply.complete).toBe(true)
  })
})
