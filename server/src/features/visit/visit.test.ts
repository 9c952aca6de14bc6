import { randomBytes } from 'node:crypto'
import { get, request } from 'node:http'
import { codeAlphabet } from '@neptune/contract'
import { describe, expect, it, vi } from 'vitest'
import { day, openOffice } from '../link/testing.ts'

const refused = { validation: false, expired: false, access: null, token: null }
const minute = 60_000
const tus = { 'tus-resumable': '1.0.0' }

describe('entering a code', () => {
  it.each([
    ['LINK_FILE', 'first'],
    ['LINK_DIRECTORY', 'plans'],
    ['LINK_EDITABLE_DIRECTORY', 'plans'],
  ] as const)('opens %s, however it is typed', async (type, access) => {
    await using office = await openOffice()
    const { key, code } = await office.share(type)
    const typed = ` ${code.toLowerCase().replaceAll('-', '').replaceAll('0', 'o').replaceAll('1', 'l')} `
    const { data } = (await office.verify(key, typed)).json()
    expect(data).toEqual({ validation: true, expired: false, access: office[access], token: expect.any(String) })
    expect(data.token).toMatch(/^npl_[\w-]{43}$/)
    const link = await office.data('GET', '/v1/access', { authorization: `Bearer ${data.token}` })
    expect(link).toMatchObject({ key, type, shared_by: 'Kim Doe', client: 'Acme GmbH', is_preview: false })
    expect(link).toMatchObject(type === 'LINK_FILE' ? { files: 1, size: 9, name: 'first.txt' } : { files: 2, size: 19 })
    const kept = await office.deps.db.selectFrom('link_session').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(data.token)
  })

  it('P18: that is wrong, or for a key unknown or deleted, is answered alike', async () => {
    await using office = await openOffice()
    const [link, gone] = [await office.share(), await office.share()]
    await office.call('DELETE', `/v1/link/${gone.key}`, office.kim)
    const replies = [
      await office.verify(link.key, gone.code),
      await office.verify('A'.repeat(22), link.code),
      await office.verify(gone.key, gone.code),
      await office.verify(link.key, 'rubbish'),
    ]
    for (const { statusCode, headers, body } of replies) {
      expect([statusCode, body]).toEqual([200, JSON.stringify({ data: refused })])
      expect(Object.keys(headers)).toEqual(Object.keys(replies[0]?.headers ?? {}))
    }
  })

  it('by one who tries many keys is refused without a question to the database', async () => {
    await using office = await openOffice()
    const key = (n: number) => `${'A'.repeat(19)}${String(n).padStart(3, '0')}`
    for (let n = 0; n < 60; n++) await office.verify(key(n), '0000-0000-0000')
    expect((await office.verify(key(60), '0000-0000-0000')).statusCode).toBe(429)
    const asked = vi.spyOn(office.deps.db, 'transaction')
    expect((await office.verify(key(61), '0000-0000-0000')).statusCode).toBe(429)
    expect(asked).not.toHaveBeenCalled()
    expect((await office.verify(key(62), '0000-0000-0000', '198.51.100.8')).statusCode).toBe(200)
    office.advance(16 * minute)
    expect((await office.verify(key(63), '0000-0000-0000')).statusCode).toBe(200)
  })

  it('P25: of another kind than text is refused', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    for (const bad of [[code], { code }, 12, true, null, undefined, 'x'.repeat(100_000), ''])
      expect((await office.verify(key, bad)).statusCode, String(bad).slice(0, 20)).toBe(400)
    for (const bad of [[key], { key }, null, 'x'.repeat(65)]) expect((await office.verify(bad, code)).statusCode).toBe(400)
  })

  it('P20: right, but too late, says so and opens nothing; wrong, it says nothing', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_FILE', { days: 1 })
    const visitor = await office.enter(link)
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).statusCode).toBe(200)
    office.advance(day)
    expect((await office.verify(link.key, link.code)).json().data).toEqual({
      validation: true,
      expired: true,
      access: null,
      token: null,
    })
    expect((await office.verify(link.key, '0000-0000-0000')).json().data).toEqual(refused)
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).statusCode).toBe(401)
  })

  it('P05: is judged ten times from one address, in parallel and behind forged headers too; elsewhere it works', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    const guess = (i: number) =>
      office.app.inject({
        method: 'POST',
        url: '/v1/link/verify',
        remoteAddress: '203.0.113.9',
        headers: { 'x-forwarded-for': `10.0.0.${i}`, 'x-real-ip': `10.0.1.${i}`, forwarded: `for=10.0.2.${i}` },
        payload: { accessKey: key, accessCode: `0000-0000-00${codeAlphabet[i % 32]}0` },
      })
    const replies = await Promise.all(Array.from({ length: 80 }, (_, i) => guess(i)))
    const judged = replies.filter(({ statusCode }) => statusCode === 200)
    const late = replies.filter(({ statusCode }) => statusCode === 429)
    expect([judged.length, late.length]).toEqual([10, 70])
    for (const { headers } of late) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await office.verify(key, code, '203.0.113.9')).statusCode).toBe(429) // no oracle
    expect((await office.verify(key, code, '198.51.100.7')).json().data.validation).toBe(true)
    office.advance(15 * minute)
    expect((await office.verify(key, code, '203.0.113.9')).json().data.validation).toBe(true)
  })

  it('that is right costs no try, and leaves none counted', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    for (let i = 0; i < 30; i++) expect((await office.verify(key, code)).json().data.validation).toBe(true)
    expect(await office.deps.db.selectFrom('throttle').selectAll().execute()).toEqual([])
    expect((await office.data('GET', '/v1/link', office.kim))[0].opened.times).toBe(30)
  })
})

describe('a visit', () => {
  it('ends an hour after the last request, twelve hours after the first, and with the link', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share())
    const status = async () => (await office.call('GET', '/v1/access', visitor)).statusCode
    for (let i = 0; i < 14; i++) {
      office.advance(50 * minute)
      expect(await status()).toBe(200)
    }
    office.advance(21 * minute) // 12 hours and a minute
    expect(await status()).toBe(401)
    const idle = await office.enter(await office.share())
    office.advance(61 * minute)
    expect((await office.call('GET', '/v1/access', idle)).statusCode).toBe(401)
  })

  it('P22: of a directory sees that directory, in pages, with pictures of its own; nothing elsewhere', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share())
    const names = async (query = '') => {
      const reply = await office.call('GET', `/v1/file${query}`, visitor)
      return reply.statusCode === 200
        ? reply.json().data.map(({ file_name }: { file_name: string }) => file_name)
        : reply.statusCode
    }
    expect(await names('?sort=name')).toEqual(['first.txt', 'second.txt'])
    expect(await names('?search=second')).toEqual(['second.txt'])
    expect(await names(`?directory=${office.plans}&sort=name`)).toEqual(['first.txt', 'second.txt'])
    expect(await names(`?directory=${office.other}`)).toEqual([])
    expect(await names(`?directory=${office.foreign}`)).toEqual([])
    expect(await names('?search=hidden')).toEqual([])
    expect(await names('?search=foreign.txt')).toEqual([])
    expect(await names('?trash=true')).toBe(403)
    expect((await office.call('GET', `/v1/file/${office.second}`, visitor)).body).toBe('second.txt')
    for (const id of [office.hidden, office.foreignFile, 'absent'])
      expect((await office.call('GET', `/v1/file/${id}`, visitor)).statusCode).toBe(404)
    expect((await office.call('GET', `/v1/directory/${office.other}/zip`, visitor)).statusCode).toBe(404)
    expect((await office.call('GET', `/v1/directory/${office.plans}/zip`, visitor)).statusCode).toBe(200)
    expect((await office.put(office.plans, 'new.txt', visitor)).statusCode).toBe(403)
  })

  it('downloads by tickets that die with it', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const visitor = await office.enter(link)
    const file = await office.data('POST', `/v1/file/${office.first}/ticket`, visitor)
    const zip = await office.data('POST', `/v1/directory/${office.plans}/ticket`, visitor)
    expect((await office.call('POST', `/v1/file/${office.hidden}/ticket`, visitor)).statusCode).toBe(404)
    expect((await office.call('GET', file.url)).body).toBe('first.txt')
    expect((await office.call('GET', zip.url)).statusCode).toBe(200)
    await office.call('DELETE', `/v1/link/${link.key}`, office.kim)
    for (const { url } of [file, zip]) expect((await office.call('GET', url)).statusCode).toBe(404)
  })

  it('P21: of a file sees that file alone', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share('LINK_FILE'))
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).body).toBe('first.txt')
    for (const url of ['/v1/file', `/v1/directory/${office.plans}/zip`, '/v1/link', '/v1/stats', '/v1/directory'])
      expect((await office.call('GET', url, visitor)).statusCode, url).toBe(403)
    expect((await office.call('GET', `/v1/file/${office.second}`, visitor)).statusCode).toBe(404)
    expect((await office.put(office.plans, 'new.txt', visitor)).statusCode).toBe(403)
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    expect((await office.call('GET', '/v1/access', visitor)).statusCode).toBe(404)
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).statusCode).toBe(404)
  })

  it('P22: of an editable directory adds to it, and takes nobody’s place', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const visitor = await office.enter(link)
    const says = `?type=LINK_EDITABLE_DIRECTORY&key=${link.key}`
    expect((await office.put(office.plans, 'first.txt', visitor, 'mine', says)).json().data.file_name).toBe('first (1).txt')
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
    const [added] = (await office.data('GET', '/v1/file?search=first%20(1)', office.kim)) as { id: string }[]
    const row = await office.deps.db
      .selectFrom('file')
      .selectAll()
      .where('id', '=', added?.id ?? '')
      .executeTakeFirstOrThrow()
    expect([row.uploaded_by, row.link_key]).toEqual([null, link.key])
  })

  it('uploads resumably; another visit by the same link goes on with it, one by another link does not', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const [visitor, back] = [await office.enter(link), await office.enter(link)]
    const stranger = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const metadata = (conflict: string) =>
      `filename ${btoa('big.bin')},directory ${btoa(office.plans)},conflict ${btoa(conflict)}`
    const begin = (conflict = 'keep') =>
      office.app.inject({
        method: 'POST',
        url: '/v1/upload',
        headers: { ...visitor, ...tus, 'upload-length': '10', 'upload-metadata': metadata(conflict) },
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
    const done = await patch(back, 5, 'world')
    expect(done.statusCode).toBe(204)
    expect((await office.call('GET', `/v1/file/${done.headers['neptune-file']}`, visitor)).body).toBe('helloworld')
  })

  it('brings what comes too late to nothing: the link was closed while the bytes were on their way', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const visitor = await office.enter(link)
    const storing = vi.spyOn(office.deps.blobs, 'put').mockImplementationOnce(async (...given) => {
      storing.mockRestore()
      const stored = await office.deps.blobs.put(...given)
      await office.call('DELETE', `/v1/link/${link.key}`, office.kim)
      return stored
    })
    const late = await office.put(office.plans, 'late.txt', visitor)
    expect([late.statusCode, late.json().code]).toEqual([401, 'link.closed'])
    expect(await office.data('GET', '/v1/file?search=late', office.kim)).toEqual([])
  })

  it('of more than a link may take is cut off on its way, and one client has four uploads at a time', async () => {
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
    const answer = (sent: ReturnType<typeof open>) =>
      new Promise<number | undefined>((resolve) => sent.on('response', (reply) => resolve(reply.resume().statusCode)))
    const first = open()
    const refused = answer(first)
    for (let i = 0; i < 40; i++) first.write('x'.repeat(100_000))
    expect(await refused).toBe(507)
    first.destroy()
    // Four wait for their bytes; only whoever finds no place is answered.
    const held = Array.from({ length: 5 }, open)
    expect(await Promise.race(held.map(answer))).toBe(429)
    for (const sent of held) sent.destroy()
  })

  it('is held to what one link may take, what is on its way included', async () => {
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
    expect((await begin(101)).json().code).toBe('link.full')
    expect((await begin(60)).statusCode).toBe(201)
    expect((await begin(60)).statusCode).toBe(507)
    expect((await office.put(office.plans, 'a.txt', visitor, 'x'.repeat(40))).statusCode).toBe(200)
    const full = await office.put(office.plans, 'c.txt', visitor, 'x'.repeat(70))
    expect(full.json().code).toBe('link.full')
    expect(await office.data('GET', '/v1/file?search=c.txt', office.kim)).toEqual([])
  })

  it('is held to that also when many begin at once, and so is a company', async () => {
    await using office = await openOffice({ LINK_MAX_BYTES: '100', COMPANY_QUOTA_BYTES: '250' })
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const begin = (who: Record<string, string>, directory: string) =>
      office.app.inject({
        method: 'POST',
        url: '/v1/upload',
        headers: {
          ...who,
          ...tus,
          'upload-length': '60',
          'upload-metadata': `filename ${btoa('b')},directory ${btoa(directory)}`,
        },
      })
    const accepted = async (who: Record<string, string>, directories: string[]) => {
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, i) => begin(who, directories[i % directories.length] ?? '')),
      )
      return replies.map(({ statusCode }) => statusCode).toSorted()
    }
    expect(await accepted(visitor, [office.plans])).toEqual([201, ...Array(11).fill(507)])
    expect(await accepted(office.kim, [office.plans, office.other])).toEqual([201, 201, ...Array(10).fill(507)])
  })

  it('in either way, by many at once, and while the directory is renamed: nobody waits for each other for ever', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    const resumably = async (n: number) => {
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
    const often = async (work: (n: number) => Promise<number>) => {
      const all: number[] = []
      for (let n = 0; n < 12; n++) all.push(await work(n))
      return all
    }
    const all = await Promise.all([
      often(resumably),
      often((n) => resumably(100 + n)),
      often(async (n) => (await office.put(office.plans, `p-${n}.txt`, visitor)).statusCode),
      often(
        async (n) =>
          (await office.call('PATCH', `/v1/directory/${office.plans}`, office.kim, { directory: `Plans ${n}` })).statusCode,
      ),
    ])
    expect(new Set(all.flat())).toEqual(new Set([200, 204]))
  })

  it('a download that runs is broken off when the link is closed', { timeout: 30_000 }, async () => {
    await using office = await openOffice()
    const origin = await office.listen()
    const link = await office.share()
    const visitor = await office.enter(link)
    const body = randomBytes(24 * 1024 * 1024)
    const form = new FormData()
    form.append('file', new Blob([body]), 'big.bin')
    const stored = await fetch(`${origin}/v1/file/${office.plans}/big.bin`, { method: 'PUT', headers: office.kim, body: form })
    const { data } = (await stored.json()) as { data: { id: string } }
    const ended = await new Promise<{ got: number; isWhole: boolean }>((resolve, reject) => {
      get(`${origin}/v1/file/${data.id}`, { headers: visitor }, (reply) => {
        let got = 0
        reply.on('data', (bytes: Buffer) => {
          if (got === 0) void office.call('DELETE', `/v1/link/${link.key}`, office.kim).then(() => undefined, reject)
          got += bytes.length
          reply.pause()
          setTimeout(() => reply.resume(), 20) // a slow reader: a minute for the whole
        })
        reply.on('close', () => resolve({ got, isWhole: reply.complete }))
        reply.on('error', () => undefined)
      }).on('error', reject)
    })
    expect(ended.isWhole).toBe(false)
    expect(ended.got).toBeLessThan(body.length)
  })
})

describe('what happened', () => {
  it('is told per link: entering a code, downloads with how much of them, uploads; looking counts for nothing', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    await office.call('GET', `/v1/link/${link.key}/info`)
    await office.call('GET', `/access/${link.key}`)
    await office.verify(link.key, '0000-0000-0000')
    expect(await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)).toEqual([])
    const visitor = await office.enter(link)
    await office.call('HEAD', `/v1/file/${office.first}`, visitor)
    await office.call('GET', `/v1/file/${office.first}`, { ...visitor, range: 'bytes=0-3' })
    await office.call('GET', `/v1/file/${office.first}`, { ...visitor, range: 'bytes=4-' })
    office.advance(1000)
    await office.put(office.plans, 'new.txt', visitor, 'brought')
    // A download is noted when it is over, which may be a moment after its last byte.
    const events = await vi.waitFor(async () => {
      const told = await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)
      expect(told.find(({ kind }: { kind: string }) => kind === 'downloaded')?.bytes).toBe(9)
      return told
    })
    expect(events).toHaveLength(3)
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'opened', times: 1, client: '198.51.100.7', person: null }),
        expect.objectContaining({ kind: 'downloaded', name: 'first.txt', size: 9, bytes: 9, times: 1 }),
        expect.objectContaining({ kind: 'uploaded', name: 'new.txt', size: 7, bytes: 7, client: '127.0.0.1' }),
      ]),
    )
    const [row] = await office.data('GET', '/v1/link', office.kim)
    expect([row.opened.times, row.downloaded.times, row.uploaded.times]).toEqual([1, 1, 1])
  })

  it('is not told of staff who view it as a recipient would, and who cannot add', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const { token } = await office.data('POST', `/v1/link/${link.key}/preview`, office.kim)
    const viewer = { authorization: `Bearer ${token}` }
    expect(await office.data('GET', '/v1/access', viewer)).toMatchObject({ is_preview: true })
    expect((await office.call('GET', `/v1/file/${office.first}`, viewer)).body).toBe('first.txt')
    expect((await office.put(office.plans, 'new.txt', viewer)).statusCode).toBe(403)
    expect(await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)).toEqual([])
  })

  it('view as recipient ends with the session it was begun in, and with the right to see the link', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const preview = async (who: Record<string, string>) => {
      const { token } = await office.data('POST', `/v1/link/${link.key}/preview`, who)
      return { authorization: `Bearer ${token}` }
    }
    const [signedOut, demoted] = [await preview(office.kim), await preview(office.admin)]
    const status = async (who: Record<string, string>) => (await office.call('GET', '/v1/access', who)).statusCode
    expect([await status(signedOut), await status(demoted)]).toEqual([200, 200])
    await office.call('DELETE', '/v1/identity', office.kim)
    expect(await status(signedOut)).toBe(401)
    await office.deps.db.updateTable('user').set({ role: 'NEPTUNE_USER' }).where('email', '=', 'admin@neptune.example').execute()
    expect(await status(demoted)).toBe(401)
  })

  it('goes to whoever answers for the link now, and not to whom it was taken from', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    await office.put(office.plans, 'one.txt', await office.enter(link))
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    await office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'code' })
    const { accessCode } = await office.data('POST', '/v1/link/initialise', office.admin, { type: 'RESET', accessKey: link.key })
    await office.call('PATCH', '/v1/link/reset', office.admin, { accessKey: link.key, accessCode })
    await office.put(office.plans, 'two.txt', await office.enter({ key: link.key, code: accessCode }))
    office.advance(10 * minute)
    await office.deliver()
    expect(office.letters.map(({ to }) => to)).toEqual(['admin@neptune.example'])
    expect(office.letters[0]?.text).toContain('two.txt')
  })

  it('tells the maker of uploads: one mail for a burst, and the next after an hour at the earliest', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    await office.put(office.plans, 'one.txt', visitor)
    office.advance(2 * minute)
    for (let i = 2; i <= 12; i++) await office.put(office.plans, `${i}.txt`, visitor)
    await office.deliver()
    expect(office.letters).toEqual([])
    office.advance(3 * minute)
    await office.deliver()
    expect(office.letters.map(({ to, subject }) => [to, subject])).toEqual([
      ['kim@acme.example', '12 files have arrived in “Plans”'],
    ])
    expect(office.letters[0]?.text).toContain('one.txt (7 B)')
    expect(office.letters[0]?.text).toContain('and 2 more.')
    await office.put(office.plans, 'later.txt', visitor)
    office.advance(30 * minute)
    await office.deliver()
    expect(office.letters).toHaveLength(1)
    office.advance(30 * minute)
    await office.deliver()
    expect(office.letters[1]?.subject).toBe('A file has arrived in “Plans”')
    expect(office.letters[1]?.text).toContain('later.txt')
  })

  it('names the file it is about also when the clock goes on meanwhile', async () => {
    await using office = await openOffice({ NOTICE_MINUTES: '0' })
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    office.deps.now = () => {
      office.advance(1)
      return new Date(office.clock.now)
    }
    await office.put(office.plans, 'one.txt', visitor)
    await office.deliver()
    expect(office.letters[0]?.text).toContain('one.txt')
  })

  it.each([[true], [false]])('tells the maker of the first download if wished: %s', async (tellDownload) => {
    await using office = await openOffice()
    const link = await office.share('LINK_FILE', { tellDownload })
    const visitor = await office.enter(link)
    const noted = (bytes: number) =>
      vi.waitFor(async () => {
        const told: { kind: string; bytes: number }[] = await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)
        expect(told.find(({ kind }) => kind === 'downloaded')?.bytes).toBe(bytes)
      })
    await office.call('GET', `/v1/file/${office.first}`, { ...visitor, range: 'bytes=0-0' })
    await noted(1)
    await office.deliver()
    expect(office.letters).toEqual([]) // a part is not it
    await office.call('GET', `/v1/file/${office.first}`, { ...visitor, range: 'bytes=1-' })
    await noted(9)
    await office.call('GET', `/v1/file/${office.first}`, visitor)
    await noted(18)
    await office.deliver()
    expect(office.letters.map(({ subject }) => subject)).toEqual(tellDownload ? ['“first.txt” was downloaded'] : [])
  })
})
