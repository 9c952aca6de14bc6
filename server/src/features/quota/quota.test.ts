import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'
import { sweepUploads } from '../upload/upload-sweep.service.ts'

type Headers = Record<string, string>

const hour = 60 * 60_000
const day = 24 * hour
const mebibyte = 2 ** 20
const tus = { 'tus-resumable': '1.0.0' }

async function openQuotaOffice(environment: Headers = {}) {
  const office = await openOffice(environment)
  const begin = (who: Headers, size: number, directory = office.plans, name = 'big.bin') =>
    office.app.inject({
      method: 'POST',
      url: '/v1/upload',
      headers: {
        ...who,
        ...tus,
        'upload-length': String(size),
        'upload-metadata': `filename ${btoa(name)},directory ${btoa(directory)}`,
      },
    })
  const pathOf = (reply: Awaited<ReturnType<typeof begin>>) => String(reply.headers['location'])
  const send = (who: Headers, url: string, offset: number, bytes: number) =>
    office.app.inject({
      method: 'PATCH',
      url,
      headers: { ...who, ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      payload: Buffer.alloc(bytes),
    })
  const offsetOf = async (who: Headers, url: string) =>
    Number((await office.app.inject({ method: 'HEAD', url, headers: { ...who, ...tus } })).headers['upload-offset'])
  const cancel = (who: Headers, url: string) => office.app.inject({ method: 'DELETE', url, headers: { ...who, ...tus } })
  const list = async (who: Headers, query = '') => (await office.call('GET', `/v1/upload${query}`, who)).json()
  const put = async (size: number, name = 'put.bin') => {
    const reply = await office.put(office.plans, name, office.kim, 'x'.repeat(size))
    return reply.statusCode === 200 ? 200 : reply.json().code
  }
  const reset = async (accessKey: string) => {
    const reserved = await office.data('POST', '/v1/link/initialise', office.kim, { type: 'RESET', accessKey })
    const body = { accessKey, accessCode: reserved.accessCode }
    expect((await office.call('PATCH', '/v1/link/reset', office.kim, body)).statusCode).toBe(200)
    return { key: accessKey, code: reserved.accessCode as string }
  }
  const shareEditable = async () => {
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    return { ...link, visitor: await office.enter(link) }
  }
  const countTemporaryFiles = () => readdirSync(join(office.folder, 'tmp')).length
  return { ...office, begin, pathOf, send, offsetOf, cancel, list, putFile: put, reset, shareEditable, countTemporaryFiles }
}

/** How much of the quota the office's own files use. */
const usedBytes = 'first.txtsecond.txthidden.txt'.length
const toQuotaSetting = (bytes: number) => ({ COMPANY_QUOTA_BYTES: String(usedBytes + bytes) })

describe('P49: the quota', () => {
  it('is not reserved by an announced size', async () => {
    await using office = await openQuotaOffice(toQuotaSetting(1000))
    const { visitor } = await office.shareEditable()
    expect((await office.begin(visitor, 900)).statusCode).toBe(201)
    expect((await office.begin(visitor, 900)).statusCode).toBe(201)
    expect(await office.putFile(1000)).toBe(200)
  })

  it('is reserved by bytes that have arrived', async () => {
    await using office = await openQuotaOffice(toQuotaSetting(1000))
    const { visitor } = await office.shareEditable()
    const path = office.pathOf(await office.begin(visitor, 900))
    await office.send(visitor, path, 0, 600)
    expect(await office.putFile(401)).toBe('company.full')
    expect((await office.begin(office.kim, 401)).json().code).toBe('company.full')
    expect((await office.begin(office.kim, 400)).statusCode).toBe(201)
    expect(await office.putFile(400)).toBe(200)
  })

  it('shows staff how much is left and how much a file needs, and recipients only that there isn’t enough space', async () => {
    await using office = await openQuotaOffice(toQuotaSetting(1000))
    const { visitor } = await office.shareEditable()
    const forStaff = (await office.begin(office.kim, 1001)).json()
    expect(forStaff).toMatchObject({ code: 'company.full', space: { left: 1000, needed: 1001 } })
    const forRecipient = (await office.begin(visitor, 1001)).json()
    expect(forRecipient.code).toBe('company.full')
    expect(forRecipient).not.toHaveProperty('space')
    const path = office.pathOf(await office.begin(office.kim, 900))
    await office.send(office.kim, path, 0, 100)
    expect(await office.putFile(800)).toBe(200)
    const later = (await office.send(office.kim, path, 100, 800)).json()
    expect(later).toMatchObject({ code: 'company.full', space: { left: 200, needed: 900 } })
  })

  it('is reserved ahead of a running request, by at most as many bytes as it has sent', async () => {
    await using office = await openQuotaOffice(toQuotaSetting(100 * mebibyte))
    const origin = await office.listen()
    const { visitor } = await office.shareEditable()
    const size = 90 * mebibyte
    const path = office.pathOf(await office.begin(visitor, size))
    const headers = { ...visitor, ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const sent = request(origin + path, { method: 'PATCH', headers: { ...headers, 'content-length': String(size) } })
    sent.on('error', () => undefined)
    sent.write(Buffer.alloc(3 * mebibyte))
    const readReserved = async (): Promise<number> => (await office.list(office.kim)).total.reserved
    await expect.poll(readReserved).toBeGreaterThanOrEqual(2 * mebibyte)
    expect(await readReserved()).toBeLessThanOrEqual(7 * mebibyte)
    sent.destroy()
  })

  it('lets an upload that ran out of room resume where it stopped, once there is room', async () => {
    await using office = await openQuotaOffice(toQuotaSetting(1000))
    const { visitor } = await office.shareEditable()
    const path = office.pathOf(await office.begin(visitor, 900))
    const other = office.pathOf(await office.begin(office.kim, 500))
    await office.send(visitor, path, 0, 600)
    await office.send(office.kim, other, 0, 400)
    const full = await office.send(visitor, path, 600, 300)
    expect([full.statusCode, full.json().code]).toEqual([507, 'company.full'])
    expect(await office.offsetOf(visitor, path)).toBe(600)
    await office.cancel(office.kim, other)
    expect((await office.send(visitor, path, 600, 300)).headers['neptune-file']).toBeTruthy()
    expect(await office.putFile(100)).toBe(200)
    expect(await office.putFile(1, 'more.bin')).toBe('company.full')
  })

  it('keeps a complete upload for which there is no room, and makes it a file once there is', async () => {
    await using office = await openQuotaOffice(toQuotaSetting(1000))
    const path = office.pathOf(await office.begin(office.kim, 900))
    await office.send(office.kim, path, 0, 800)
    const id = path.split('/').at(-1) ?? ''
    await office.deps.blobs.append(id, Readable.from([Buffer.alloc(100)]), { offset: 800, maxSize: 900 }) // then a crash
    const { storage } = office.deps.config.settings.values
    storage.company_quota_bytes = usedBytes + 899
    const getStatus = () => office.app.inject({ method: 'HEAD', url: path, headers: { ...office.kim, ...tus } })
    const waiting = await getStatus()
    expect([waiting.statusCode, waiting.headers['upload-offset'], waiting.headers['neptune-file']]).toEqual([
      200,
      '900',
      undefined,
    ])
    expect((await office.send(office.kim, path, 900, 0)).json().code).toBe('company.full')
    storage.company_quota_bytes = usedBytes + 1000
    expect((await getStatus()).headers['neptune-file']).toBe(id)
  })

  it('is never exceeded by concurrent PUT and tus uploads', async () => {
    await using office = await openQuotaOffice(toQuotaSetting(250))
    const { visitor } = await office.shareEditable()
    const directories = [office.plans, office.other]
    const begun = await Promise.all(Array.from({ length: 8 }, (_, i) => office.begin(office.kim, 60, directories[i % 2])))
    const byLink = await Promise.all(Array.from({ length: 4 }, () => office.begin(visitor, 60)))
    const sent = await Promise.all([
      ...begun.map((reply) => office.send(office.kim, office.pathOf(reply), 0, 60)),
      ...byLink.map((reply) => office.send(visitor, office.pathOf(reply), 0, 60)),
      ...Array.from({ length: 4 }, (_, i) => office.put(office.plans, `${i}.bin`, office.kim, 'x'.repeat(60))),
    ])
    const done = sent.filter(({ statusCode }) => statusCode < 300)
    expect(done).toHaveLength(4)
    for (const { statusCode } of sent.filter((reply) => !done.includes(reply))) expect(statusCode).toBe(507)
    const { bytes } = await office.deps.db
      .selectFrom('company')
      .select('bytes')
      .where('id', '=', await office.companyOf(office.kim))
      .executeTakeFirstOrThrow()
    expect(Number(bytes)).toBe(usedBytes + 240)
  })

  it('releases within an hour what a crashed process had reserved', async () => {
    await using office = await openQuotaOffice(toQuotaSetting(1000))
    const path = office.pathOf(await office.begin(office.kim, 900))
    await office.send(office.kim, path, 0, 100)
    await office.deps.db.updateTable('upload').set({ reserved: 900 }).execute()
    expect(await office.putFile(500)).toBe('company.full')
    office.advance(hour)
    await sweepUploads(office.deps)
    expect(await office.putFile(500)).toBe(200)
    expect(await office.offsetOf(office.kim, path)).toBe(100)
  })
})

describe('P49: an unfinished upload', () => {
  it('ends after an hour without a byte, and after a week once some have arrived', async () => {
    await using office = await openQuotaOffice()
    const empty = await office.begin(office.kim, 10)
    expect(empty.headers['upload-expires']).toBe(new Date(office.deps.now().getTime() + hour).toUTCString())
    const path = office.pathOf(await office.begin(office.kim, 10))
    await office.send(office.kim, path, 0, 1)
    office.advance(hour)
    await sweepUploads(office.deps)
    expect(await office.list(office.kim)).toMatchObject({ data: [{ received: 1 }], total: { uploads: 1, reserved: 1 } })
    expect(office.countTemporaryFiles()).toBe(1)
    office.advance(7 * day)
    await sweepUploads(office.deps)
    expect(office.countTemporaryFiles()).toBe(0)
  })

  it('is listed for staff who may see its directory', async () => {
    await using office = await openQuotaOffice()
    const { key, visitor } = await office.shareEditable()
    const startedAt = office.deps.now().toISOString()
    const path = office.pathOf(await office.begin(visitor, 900))
    office.advance(5000)
    await office.send(visitor, path, 0, 300)
    await office.begin(office.kim, 10, office.other, 'small.bin')
    await office.begin(office.eve, 10, office.foreign)
    const { data, total } = await office.list(office.kim, `?directory=${office.plans}`)
    expect(total).toEqual({ uploads: 1, reserved: 300 })
    expect(data).toMatchObject([
      {
        file_name: 'big.bin',
        size: 900,
        received: 300,
        reserved: 300,
        directory: 'Plans',
        person: null,
        link: key,
        started_at: startedAt,
        progress_at: office.deps.now().toISOString(),
      },
    ])
    const listNames = async (who: Headers, query = '') =>
      (await office.list(who, query)).data.map(({ file_name }: { file_name: string }) => file_name).toSorted()
    expect(await listNames(office.kim)).toEqual(['big.bin', 'small.bin'])
    expect(await listNames(office.admin)).toEqual(['big.bin', 'big.bin', 'small.bin'])
    expect(await listNames(office.admin, `?company=${await office.companyOf(office.kim)}`)).toEqual(['big.bin', 'small.bin'])
    expect(await listNames(office.eve, `?directory=${office.plans}`)).toEqual([])
    expect((await office.call('GET', '/v1/upload', visitor)).statusCode).toBe(403)
    const first = await office.list(office.admin, '?limit=1&sort=-started_at')
    const rest = await office.list(office.admin, `?limit=2&sort=-started_at&cursor=${first.next}`)
    expect([...first.data, ...rest.data]).toHaveLength(3)
    expect([first.total.uploads, rest.next]).toEqual([3, null])
  })

  it('is canceled by staff who may see its directory, and the audit log says so', async () => {
    await using office = await openQuotaOffice()
    const { key, visitor } = await office.shareEditable()
    const path = office.pathOf(await office.begin(visitor, 900))
    await office.send(visitor, path, 0, 300)
    expect((await office.cancel(office.eve, path)).statusCode).toBe(404)
    expect((await office.cancel(office.kim, path)).statusCode).toBe(204)
    expect((await office.send(visitor, path, 300, 1)).statusCode).toBe(404)
    expect([(await office.list(office.kim)).total.uploads, office.countTemporaryFiles()]).toEqual([0, 0])
    expect(await office.data('GET', '/v1/activity?action=upload.cancelled', office.kim)).toMatchObject([
      { name: 'big.bin', directory: office.plans, link: key, size: 900 },
    ])
  })

  it.each(['reset', 'deleted', 'expired', 'paused'] as const)('is removed when its link is %s', async (change) => {
    await using office = await openQuotaOffice(toQuotaSetting(1000))
    const { key, visitor } = await office.shareEditable()
    const path = office.pathOf(await office.begin(visitor, 900))
    await office.send(visitor, path, 0, 600)
    const again = change === 'reset' ? await office.enter(await office.reset(key)) : undefined
    if (change === 'deleted') await office.call('DELETE', `/v1/link/${key}`, office.kim)
    if (change === 'paused') await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    if (change === 'expired') {
      const expires_at = office.deps.now().toISOString()
      await office.deps.db.updateTable('link').set({ expires_at }).where('key', '=', key).execute()
    }
    if (change === 'expired' || change === 'paused') {
      office.advance(hour)
      await sweepUploads(office.deps)
    }
    if (again) expect((await office.send(again, path, 600, 1)).statusCode).toBe(404)
    expect([(await office.list(office.admin)).total, office.countTemporaryFiles()]).toEqual([{ uploads: 0, reserved: 0 }, 0])
    expect((await office.begin(office.admin, 1000)).statusCode).toBe(201)
  })

  it('is refused when the link or the person has too many', async () => {
    await using office = await openQuotaOffice()
    const { key, visitor } = await office.shareEditable()
    await office.begin(visitor, 10)
    await office.begin(office.kim, 10)
    const copy = async (count: number, owner: { link_key: string } | { user_id: string }) => {
      const rows = office.deps.db.selectFrom('upload').selectAll()
      const row = await rows.where('link_key', 'link_key' in owner ? 'is not' : 'is', null).executeTakeFirstOrThrow()
      const copies = Array.from({ length: count }, (_, i) => ({ ...row, id: `copy-${Object.values(owner)[0]}-${i}` }))
      await office.deps.db.insertInto('upload').values(copies).execute()
    }
    await copy(198, { link_key: key })
    expect((await office.begin(visitor, 10)).statusCode).toBe(201)
    expect((await office.begin(visitor, 10)).json().code).toBe('upload.too_many')
    await copy(498, { user_id: office.kimId })
    expect((await office.begin(office.kim, 10)).statusCode).toBe(201)
    expect((await office.begin(office.kim, 10)).json().code).toBe('upload.too_many')
  })
})
