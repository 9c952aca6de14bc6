import { request } from 'node:http'
import type { FileRow } from '@neptune/contract'
import { describe, expect, it, vi } from 'vitest'
import { openOffice } from '../link/testing.ts'

const tus = { 'tus-resumable': '1.0.0' }

describe('a visit', () => {
  it('P22: can add files to an editable directory, but not replace or change any', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const visitor = await office.enter(link)
    const matchingQuery = `?type=LINK_EDITABLE_DIRECTORY&key=${link.key}`
    expect((await office.put(office.plans, 'first.txt', visitor, 'mine', matchingQuery)).json().data.file_name).toBe(
      'first (1).txt',
    )
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).body).toBe('first.txt')
    for (const query of ['?conflict=replace', '?type=LINK_FILE', `?key=${'A'.repeat(22)}`])
      expect((await office.put(office.plans, 'first.txt', visitor, 'mine', query)).statusCode, query).toBe(403)
    for (const directory of [office.other, office.foreign, 'absent'])
      expect((await office.put(directory, 'new.txt', visitor)).statusCode).toBe(404)
    for (const [method, url, body] of [
      ['DELETE', `/v1/file/${office.first}`],
      ['PATCH', `/v1/file/${office.first}`, { file_name: 'x' }],
      ['POST', '/v1/file/delete', { ids: [office.first] }],
    ] as const)
      expect((await office.call(method, url, visitor, body)).statusCode, url).toBe(403)
    const [added] = (await office.data('GET', '/v1/file?search=first%20(1)', office.kim)) as FileRow[]
    expect(added).toMatchObject({ uploaded_by: null, link: link.key })
    for (const row of (await office.data('GET', '/v1/file', visitor)) as FileRow[]) expect(row).not.toHaveProperty('uploaded_by')
  })

  it('resumes an upload of another visit through the same link, but not through another link', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const [visitor, returningVisitor] = [await office.enter(link), await office.enter(link)]
    const stranger = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const buildMetadata = (conflict: string) =>
      `filename ${btoa('big.bin')},directory ${btoa(office.plans)},conflict ${btoa(conflict)}`
    const begin = (conflict = 'keep') =>
      office.app.inject({
        method: 'POST',
        url: '/v1/upload',
        headers: { ...visitor, ...tus, 'upload-length': '10', 'upload-metadata': buildMetadata(conflict) },
      })
    expect((await begin('replace')).statusCode).toBe(403)
    const url = String((await begin()).headers['location'])
    const patch = (who: Record<string, string>, offset: number, payload: string) =>
      office.app.inject({
        method: 'PATCH',
        url,
        headers: { ...who, ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        payload,
      })
    expect((await patch(visitor, 0, 'hello')).statusCode).toBe(204)
    for (const who of [stranger, office.kim]) expect((await patch(who, 5, 'world')).statusCode).toBe(404)
    const done = await patch(returningVisitor, 5, 'world')
    expect(done.statusCode).toBe(204)
    expect((await office.call('GET', `/v1/file/${done.headers['neptune-file']}`, visitor)).body).toBe('helloworld')
  })

  it('can’t finish an upload if the link is deleted meanwhile', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const visitor = await office.enter(link)
    const putSpy = vi.spyOn(office.deps.blobs, 'put').mockImplementationOnce(async (...args) => {
      putSpy.mockRestore()
      const stored = await office.deps.blobs.put(...args)
      await office.call('DELETE', `/v1/link/${link.key}`, office.kim)
      return stored
    })
    const late = await office.put(office.plans, 'late.txt', visitor)
    expect([late.statusCode, late.json().code]).toEqual([401, 'link.closed'])
    expect(await office.data('GET', '/v1/file?search=late', office.kim)).toEqual([])
  })

  it('returns the largest file size and the space left in the link, but only with the code', async () => {
    await using office = await openOffice({ LINK_MAX_BYTES: '1000', LINK_MAX_FILES: '2', MAX_UPLOAD_BYTES: '400' })
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    expect((await office.call('GET', `/v1/link/${link.key}/info`)).body).not.toContain('400')
    const visitor = await office.enter(link)
    const readLimits = async (who = visitor) => (await office.data('GET', '/v1/access', who)).upload_limits
    expect(await readLimits()).toEqual({ file_bytes: 400, bytes_left: 1000 })
    await office.put(office.plans, 'a.txt', visitor, 'x'.repeat(300))
    expect(await readLimits()).toEqual({ file_bytes: 400, bytes_left: 700 })
    await office.put(office.plans, 'b.txt', visitor, 'x')
    expect(await readLimits()).toEqual({ file_bytes: 400, bytes_left: 0 }) // the link's maximum number of files is reached
    expect(await readLimits(await office.enter(await office.share('LINK_DIRECTORY')))).toBeNull()
  })

  it('gets 507 for more bytes than the link allows, and 429 for a fifth upload at the same time', async () => {
    await using office = await openOffice({ LINK_MAX_BYTES: '1000000' })
    const origin = await office.listen()
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const open = () => {
      const sent = request(`${origin}/v1/file/${office.plans}/a.bin`, {
        method: 'PUT',
        headers: { ...visitor, 'content-type': 'multipart/form-data; boundary=x' },
      })
      sent.on('error', () => undefined)
      sent.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
      return sent
    }
    const readStatus = (sent: ReturnType<typeof open>) =>
      new Promise<number | undefined>((resolve) => sent.on('response', (reply) => resolve(reply.resume().statusCode)))
    const first = open()
    const refused = readStatus(first)
    for (let i = 0; i < 40; i++) first.write('x'.repeat(100_000))
    expect(await refused).toBe(507)
    first.destroy()
    // Four uploads wait for their bytes. Only the fifth gets a reply.
    const openUploads = Array.from({ length: 5 }, open)
    expect(await Promise.race(openUploads.map(readStatus))).toBe(429)
    for (const sent of openUploads) sent.destroy()
  })

  it('cannot exceed the limits of its link, even with unfinished or concurrent uploads', async () => {
    await using office = await openOffice({ LINK_MAX_BYTES: '100', LINK_MAX_FILES: '3' })
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const begin = (length: number) =>
      office.app.inject({
        method: 'POST',
        url: '/v1/upload',
        headers: {
          ...visitor,
          ...tus,
          'upload-length': String(length),
          'upload-metadata': `filename ${btoa('b')},directory ${btoa(office.plans)}`,
        },
      })
    const send = (begun: Awaited<ReturnType<typeof begin>>, offset: number, bytes: number) =>
      office.app.inject({
        method: 'PATCH',
        url: String(begun.headers.location),
        headers: { ...visitor, ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        payload: Buffer.alloc(bytes),
      })
    expect((await begin(101)).json().code).toBe('link.full')
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin(60)))
    expect(new Set(begun.map(({ statusCode }) => statusCode))).toEqual(new Set([201])) // only received bytes count
    const sent = await Promise.all(begun.map((upload) => send(upload, 0, 30)))
    expect(sent.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 204, 204, ...Array(5).fill(507)])
    expect((await office.put(office.plans, 'a.txt', visitor, 'x')).json().code).toBe('link.full')
    const first = begun[sent.findIndex(({ statusCode }) => statusCode === 204)] ?? begun[0]
    if (first) expect((await send(first, 30, 30)).json().code).toBe('link.full')
  })

  it('does not deadlock when resumable and form uploads run while the directory is renamed', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const uploadResumably = async (n: number) => {
      const metadata = `filename ${btoa(`t-${n}.txt`)},directory ${btoa(office.plans)}`
      const headers = { ...visitor, ...tus }
      const begun = await office.app.inject({
        method: 'POST',
        url: '/v1/upload',
        headers: { ...headers, 'upload-length': '5', 'upload-metadata': metadata },
      })
      const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      const url = String(begun.headers.location)
      return (await office.app.inject({ method: 'PATCH', url, headers: { ...headers, ...type }, payload: 'bytes' })).statusCode
    }
    const repeat = async (work: (n: number) => Promise<number>) => {
      const all: number[] = []
      for (let n = 0; n < 12; n++) all.push(await work(n))
      return all
    }
    const all = await Promise.all([
      repeat(uploadResumably),
      repeat((n) => uploadResumably(100 + n)),
      repeat(async (n) => (await office.put(office.plans, `p-${n}.txt`, visitor)).statusCode),
      repeat(
        async (n) =>
          (await office.call('PATCH', `/v1/directory/${office.plans}`, office.kim, { directory: `Plans ${n}` })).statusCode,
      ),
    ])
    expect(new Set(all.flat())).toEqual(new Set([200, 204]))
  })
})
