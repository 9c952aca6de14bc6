import { isPossibleCode, normalCode, readableCode } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { day, openOffice } from './testing.ts'

const refused = { validation: false, expired: false, access: null, token: null }

describe('a link', () => {
  it('is made of a key and a code that were reserved, and shows in the list without its code', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    expect(key).toMatch(/^[\w-]{22}$/)
    expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    const reply = await office.call('GET', '/v1/link', office.kim)
    expect(reply.json().data).toEqual([
      {
        key,
        name: 'Plans',
        type: 'LINK_DIRECTORY',
        client: 'Acme GmbH',
        company: await office.companyOf(office.kim),
        directory_id: office.plans,
        file_id: null,
        date_created: office.deps.now().toISOString(),
        expiry: office.inDays(30),
        state: 'active',
        email: null,
        maker: 'Kim Doe',
        tells_download: false,
        opened: { times: 0, last_at: null },
        downloaded: { times: 0, last_at: null },
        uploaded: { times: 0, last_at: null },
      },
    ])
    expect(reply.body).not.toContain(normalCode(code))
    expect((await office.data('GET', '/v1/stats', office.kim)).links).toBe(1)
    expect((await office.data('GET', '/v1/stats', office.eve)).links).toBe(0)
  })

  it('keeps its code out of the database but for a keyed hash and a sealed copy', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    const row = await office.deps.db.selectFrom('link').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(normalCode(code))
    expect(await office.data('POST', `/v1/link/${key}/code`, office.kim)).toEqual({ accessCode: code })
    const events = await office.data('GET', `/v1/link/${key}/activity`, office.kim)
    expect(events).toMatchObject([{ kind: 'code_shown', person: 'Kim Doe' }])
  })

  it('P19: takes no key that was not reserved, no other code, and none twice', async () => {
    await using office = await openOffice()
    const [one, two] = [await office.reserve(), await office.reserve()]
    expect(one.key).not.toBe(two.key)
    expect(one.accessCode).not.toBe(two.accessCode)
    const link = { linkType: 'LINK_DIRECTORY', directory: office.plans, expiry: office.inDays(1) }
    const make = (key: string, accessCode: string, who = office.kim, more: object = {}) =>
      office.call('POST', '/v1/link', who, { ...link, key, accessCode, ...more })
    expect((await make('A'.repeat(22), one.accessCode)).statusCode).toBe(409)
    expect((await make(one.key, two.accessCode)).statusCode).toBe(409)
    expect((await make(one.key, one.accessCode, office.admin)).statusCode).toBe(409) // reserved for somebody else
    expect((await make(one.key, one.accessCode, office.kim, { directory: office.other })).statusCode).toBe(409)
    expect((await make(one.key, one.accessCode)).statusCode).toBe(200)
    expect((await make(one.key, one.accessCode)).statusCode).toBe(409)
    office.advance(61 * 60_000)
    expect((await make(two.key, two.accessCode)).statusCode).toBe(409)
    expect(await office.data('GET', '/v1/link', office.kim)).toHaveLength(1)
  })

  it('P16: is made for nothing that is another’s, absent, or in another directory than it was reserved for', async () => {
    await using office = await openOffice()
    const company = await office.companyOf(office.kim)
    const reserve = (body: object) => office.call('POST', '/v1/link/initialise', office.kim, body)
    expect((await reserve({ company, directory: office.foreign })).statusCode).toBe(404)
    expect((await reserve({ company, directory: 'absent' })).statusCode).toBe(404)
    expect((await reserve({ company: await office.companyOf(office.eve), directory: office.plans })).statusCode).toBe(404)
    expect((await reserve({ company })).json().errors).toEqual([{ field: 'directory', message: 'This field is missing.' }])
    const reserved = await office.reserve()
    const make = (target: object) =>
      office.call('POST', '/v1/link', office.kim, { ...reserved, expiry: office.inDays(1), ...target })
    for (const file of [office.foreignFile, 'absent'])
      expect((await make({ linkType: 'LINK_FILE', file })).statusCode, file).toBe(404)
    for (const directory of [office.foreign, 'absent'])
      expect((await make({ linkType: 'LINK_DIRECTORY', directory })).statusCode, directory).toBe(404)
    expect((await make({ linkType: 'LINK_FILE', file: office.hidden })).statusCode).toBe(409)
    expect((await make({ linkType: 'LINK_FILE', file: office.first, directory: office.other })).statusCode).toBe(404)
    expect((await make({ linkType: 'LINK_FILE', directory: office.plans })).statusCode).toBe(400)
    expect((await make({ linkType: 'LINK_DIRECTORY', directory: office.plans, file: office.first })).statusCode).toBe(400)
    expect(await office.data('GET', '/v1/link', office.kim)).toEqual([])
  })

  it.each([
    ['the past', '2026-11-30', 400],
    ['this very instant', '2026-12-01T09:00:00Z', 400],
    ['a day that is none', '2027-02-30', 400],
    ['an instant of a day that is none', '2027-02-30T00:00:00Z', 400],
    ['words', 'tomorrow', 400],
    ['an instant without its zone', '2026-12-24T10:00:00', 400],
    ['a hundred years', '2126-01-01', 400],
    ['today, until its end', '2026-12-01', 200],
    ['an instant', '2026-12-24T10:00:00+01:00', 200],
  ])('expires: %s', async (_, expiry, status) => {
    await using office = await openOffice()
    const link = { linkType: 'LINK_DIRECTORY', directory: office.plans, ...(await office.reserve()) }
    const reply = await office.call('POST', '/v1/link', office.kim, { ...link, expiry })
    expect(reply.statusCode, reply.body).toBe(status)
    if (expiry === '2026-12-01') expect(reply.json().data.expiry).toBe('2026-12-01T23:59:59.999Z')
    if (expiry.includes('+')) expect(reply.json().data.expiry).toBe('2026-12-24T09:00:00.000Z')
    expect((await office.call('POST', '/v1/link', office.kim, link)).statusCode).toBe(400) // none at all
  })

  it('P15: of another company is not there: not its details, not its activity, to no change', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    const before = await office.deps.db.selectFrom('link').selectAll().execute()
    const attempts = (key: string): [string, string, object?][] => [
      ['DELETE', `/v1/link/${key}`],
      ['POST', '/v1/link/delete', { keys: [key] }],
      ['POST', '/v1/link/initialise', { type: 'RESET', accessKey: key }],
      ['PATCH', '/v1/link/reset', { accessKey: key, accessCode: code }],
      ['POST', '/v1/link/email', { key, accessCode: code, targetEmail: 'eve@globex.example' }],
      ['POST', `/v1/link/${key}/code`],
      ['POST', `/v1/link/${key}/preview`],
      ['GET', `/v1/link/${key}/activity`],
    ]
    const absent = attempts('A'.repeat(22))
    for (const [i, [method, url, body]] of attempts(key).entries()) {
      const reply = await office.call(method, url, office.eve, body)
      const [, otherUrl = '', otherBody] = absent[i] ?? []
      expect(reply.statusCode, url).toBe(404)
      expect(withoutId(reply.body)).toBe(withoutId((await office.call(method, otherUrl, office.eve, otherBody)).body))
    }
    expect(await office.data('GET', `/v1/link/${key}/info`, office.eve)).toEqual({ key, type: 'LINK_DIRECTORY' })
    expect(await office.data('GET', '/v1/link', office.eve)).toEqual([])
    expect(await office.deps.db.selectFrom('link').selectAll().execute()).toEqual(before)
    expect((await office.data('GET', '/v1/link', office.admin)).length).toBe(1)
  })

  it('P18: tells strangers its type and nothing else, and staff of the company everything but the code', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_FILE')
    expect(await office.data('GET', `/v1/link/${key}/info`, {})).toEqual({ key, type: 'LINK_FILE' })
    expect(await office.data('GET', `/v1/link/${key}/info`, office.kim)).toMatchObject({ name: 'first.txt', maker: 'Kim Doe' })
    const unknown = await office.call('GET', `/v1/link/${'A'.repeat(22)}/info`)
    await office.call('DELETE', `/v1/link/${key}`, office.kim)
    const deleted = await office.call('GET', `/v1/link/${key}/info`)
    expect([unknown.statusCode, deleted.statusCode]).toEqual([404, 404])
    expect(withoutId(deleted.body)).toBe(withoutId(unknown.body))
  })

  it('P23: with a new code has lost the old one, and whoever came in by it', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const visitor = await office.enter(link)
    const { accessCode, key } = await office.data('POST', '/v1/link/initialise', office.kim, {
      type: 'RESET',
      accessKey: link.key,
    })
    expect(key).toBe(link.key)
    // Shown is not applied yet.
    expect((await office.verify(link.key, link.code)).json().data.validation).toBe(true)
    expect((await office.verify(link.key, accessCode)).json().data.validation).toBe(false)
    const reset = (code: string, who = office.kim) =>
      office.call('PATCH', '/v1/link/reset', who, { accessKey: link.key, accessCode: code })
    expect((await reset(link.code)).statusCode).toBe(409)
    expect((await reset(accessCode, office.admin)).statusCode).toBe(409) // shown to somebody else
    expect((await reset(accessCode)).statusCode).toBe(200)
    expect((await reset(accessCode)).statusCode).toBe(409)
    expect((await office.verify(link.key, link.code)).json().data).toEqual(refused)
    expect((await office.verify(link.key, accessCode)).json().data.validation).toBe(true)
    const reply = await office.call('GET', '/v1/access', visitor)
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'link.closed'])
    expect(await office.data('POST', `/v1/link/${link.key}/code`, office.kim)).toEqual({ accessCode })
  })

  it('P24: deleted is gone, with whoever came in by it; several at once, or none', async () => {
    await using office = await openOffice()
    const [one, two, three] = [await office.share(), await office.share('LINK_FILE'), await office.share()]
    const visitor = await office.enter(one)
    expect((await office.call('DELETE', `/v1/link/${one.key}`, office.kim)).statusCode).toBe(204)
    expect((await office.verify(one.key, one.code)).json().data).toEqual(refused)
    expect((await office.call('GET', '/v1/access', visitor)).statusCode).toBe(401)
    const remove = (keys: string[]) => office.call('POST', '/v1/link/delete', office.kim, { keys })
    expect((await remove([two.key, 'absent'])).statusCode).toBe(404)
    expect((await remove([two.key, three.key, two.key])).statusCode).toBe(204)
    expect(await office.data('GET', '/v1/link', office.kim)).toEqual([])
  })

  it('reset by two at once has one code in the end, and none before it opens anything', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const people = [office.kim, office.admin]
    const codes: string[] = []
    const visits: Record<string, string>[] = []
    for (const who of people) {
      const { accessCode } = await office.data('POST', '/v1/link/initialise', who, { type: 'RESET', accessKey: link.key })
      codes.push(accessCode)
    }
    await Promise.all(
      people.map(async (who, i) => {
        await office.call('PATCH', '/v1/link/reset', who, { accessKey: link.key, accessCode: codes[i] ?? '' })
        const { token } = (await office.verify(link.key, codes[i] ?? '')).json().data
        if (token) visits.push({ authorization: `Bearer ${token}`, code: codes[i] ?? '' })
      }),
    )
    const { accessCode } = await office.data('POST', `/v1/link/${link.key}/code`, office.kim)
    for (const { code = '', ...visitor } of visits) {
      const status = (await office.call('GET', '/v1/access', visitor)).statusCode
      expect(status).toBe(code === accessCode ? 200 : 401)
    }
    const { generation } = await office.deps.db.selectFrom('link').select('generation').executeTakeFirstOrThrow()
    expect(generation).toBe(3)
  })

  it('keeps its name with that of its file, when that comes back from the trash under another', async () => {
    await using office = await openOffice()
    await office.share('LINK_FILE')
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    await office.addFile(office.plans, 'first.txt', office.kim)
    await office.call('POST', '/v1/file/restore', office.kim, { ids: [office.first] })
    expect((await office.data('GET', '/v1/link', office.kim))[0].name).toBe('first (1).txt')
  })

  it('keeps its key out of the log', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    await office.call('GET', `/v1/link/${key}/info`)
    await office.call('GET', `/v1/link/${key}/activity`, office.kim)
    expect(office.logLines.join('')).toContain('/v1/link/#')
    expect(office.logLines.join('')).not.toContain(key)
  })

  it('rests while its maker is suspended, and goes on under whoever resets it', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const visitor = await office.enter(link)
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    expect((await office.call('GET', '/v1/access', visitor)).statusCode).toBe(401)
    expect((await office.verify(link.key, link.code)).json().data).toEqual(refused)
    expect(await office.data('GET', '/v1/link?state=paused', office.admin)).toMatchObject([{ key: link.key, state: 'paused' }])
    const { accessCode } = await office.data('POST', '/v1/link/initialise', office.admin, { type: 'RESET', accessKey: link.key })
    await office.call('PATCH', '/v1/link/reset', office.admin, { accessKey: link.key, accessCode })
    expect((await office.verify(link.key, accessCode)).json().data.validation).toBe(true)
  })

  it('is found by its state, by what it shares, and by its key', async () => {
    await using office = await openOffice()
    const [long, short] = [await office.share(), await office.share('LINK_FILE', { days: 3 })]
    const keys = async (query: string) =>
      (await office.data('GET', `/v1/link?${query}`, office.kim)).map(({ key }: { key: string }) => key)
    expect(await keys('state=active&sort=expiry')).toEqual([short.key, long.key])
    expect(await keys('state=expiring')).toEqual([short.key])
    expect(await keys('search=FIRST')).toEqual([short.key])
    expect(await keys(`search=${long.key}`)).toEqual([long.key])
    expect(await keys('search=%25')).toEqual([])
    office.advance(4 * day)
    expect(await keys('state=expired')).toEqual([short.key])
    expect(await keys('state=active')).toEqual([long.key])
    await office.call('PATCH', `/v1/directory/${office.plans}`, office.kim, { directory: 'Drawings' })
    expect(await keys('search=drawings')).toEqual([long.key])
    const first = await office.call('GET', '/v1/link?limit=1&sort=name', office.kim)
    expect(await keys(`limit=1&sort=name&cursor=${first.json().next}`)).toEqual([short.key])
  })
})

describe('sending a link', () => {
  it('brings address and code, or the address alone, to one person; the link shows to whom', async () => {
    await using office = await openOffice({ PUBLIC_URL: 'https://files.acme.example' })
    const { key, code } = await office.share()
    const send = (more: object) =>
      office.call('POST', '/v1/link/email', { ...office.kim, host: 'evil.example' }, { key, ...more })
    const sent = await send({ accessCode: code.toLowerCase().replaceAll('-', ' '), targetEmail: 'Rob@Client.example' })
    expect(sent.json().data.email).toBe('rob@client.example')
    expect((await send({ accessCode: '', targetEmail: 'ann@client.example', includeCode: false })).statusCode).toBe(200)
    const kept = await office.deps.db.selectFrom('outbox').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(normalCode(code))
    await office.deliver()
    const [whole, address] = ['rob@client.example', 'ann@client.example'].map((to) =>
      office.letters.find((mail) => mail.to === to),
    )
    expect(whole?.to).toBe('rob@client.example')
    for (const body of [whole?.text, whole?.html]) {
      expect(body).toContain(`https://files.acme.example/access/${key}`)
      expect(body).toContain(code)
      expect(body).toContain('Plans')
      expect(body).not.toContain('evil.example')
    }
    expect(address?.text).toContain(key)
    expect(`${address?.text}${address?.html}`).not.toContain(code)
    const events = await office.data('GET', `/v1/link/${key}/activity`, office.kim)
    expect(events).toMatchObject([{ kind: 'code_sent', name: 'rob@client.example', person: 'Kim Doe' }])
  })

  it('brings no code that was changed before the mail left: it may be for the one it was changed for', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    for (const includeCode of [true, false])
      await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'wrong@client.example', includeCode })
    const { accessCode } = await office.data('POST', '/v1/link/initialise', office.kim, { type: 'RESET', accessKey: key })
    await office.call('PATCH', '/v1/link/reset', office.kim, { accessKey: key, accessCode })
    await office.deliver()
    expect(office.letters).toEqual([])
  })

  it('refuses a code that is not the link’s, and counts it as a guess', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    const send = (accessCode: string) =>
      office.call('POST', '/v1/link/email', office.kim, { key, accessCode, targetEmail: 'rob@client.example' })
    for (let i = 0; i < 10; i++) expect((await send('0000-0000-0000')).statusCode).toBe(400)
    const last = await send(code)
    expect([last.statusCode, last.json().code]).toEqual([429, 'link.too_many_tries'])
    expect(await office.deps.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  it('P42: takes one plain address, and not more than five mails an hour to it', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const send = (targetEmail: string) => office.call('POST', '/v1/link/email', office.kim, { key, targetEmail })
    for (const bad of ['a@b.example, c@d.example', 'Rob <a@b.example>', 'a@b.example\r\nbcc: c@d.example', '', 'nobody'])
      expect((await send(bad)).statusCode, bad).toBe(400)
    for (let i = 0; i < 5; i++) expect((await send('rob@client.example')).statusCode).toBe(200)
    const over = await send('rob@client.example')
    expect(over.statusCode).toBe(429)
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('a recipient’s question', () => {
  it('reaches the maker by mail and in the app, once; a click gives thirty more days to the same code', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_DIRECTORY', { days: 1 })
    office.advance(2 * day)
    const ask = (accessKey: string, more: object = {}) =>
      office.call('POST', '/v1/ask', {}, { accessKey, wants: 'time', ...more })
    const asked = await ask(link.key, { message: 'Rob, who was on holiday' })
    const unknown = await ask('A'.repeat(22))
    expect([asked.statusCode, asked.body]).toEqual([unknown.statusCode, unknown.body])
    await ask(link.key)
    await office.deliver()
    expect(office.letters.map(({ to, subject }) => [to, subject])).toEqual([
      ['kim@acme.example', 'Somebody asks for more time: “Plans”'],
    ])
    expect(await office.data('GET', '/v1/ask', office.eve)).toEqual([])
    const [question] = await office.data('GET', '/v1/ask', office.kim)
    expect(question).toMatchObject({ key: link.key, wants: 'time', message: 'Rob, who was on holiday' })
    const answer = (who: typeof office.kim) => office.call('POST', `/v1/ask/${question.id}`, who, { grant: true })
    expect((await answer(office.eve)).statusCode).toBe(404)
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ expired: true, token: null })
    const answered = await answer(office.kim)
    expect(answered.json().data).toMatchObject({ link: { expiry: office.inDays(30) }, accessCode: null, sentTo: null })
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ validation: true, expired: false })
    expect((await answer(office.kim)).statusCode).toBe(404)
    expect(await office.data('GET', '/v1/ask', office.kim)).toEqual([])
  })

  it('for more time is answered to whom the link was sent, too', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'rob@client.example' })
    await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'time' })
    const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
    expect((await office.data('POST', `/v1/ask/${id}`, office.kim, { grant: true })).sentTo).toBe('rob@client.example')
    await office.deliver()
    const told = office.letters.filter(({ to }) => to === 'rob@client.example').map(({ subject }) => subject)
    expect(told.toSorted()).toEqual(['Kim Doe shares “Plans” with you', 'More time for “Plans”'])
    expect(await office.data('GET', '/v1/link?search=rob%40', office.kim)).toMatchObject([{ key }])
  })

  it('for a new code is answered with one, sent where the link went before; or not at all', async () => {
    await using office = await openOffice()
    const link = await office.share()
    await office.call('POST', '/v1/link/email', office.kim, { key: link.key, targetEmail: 'rob@client.example' })
    const ask = () => office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'code' })
    const answer = async (grant: boolean) => {
      await ask()
      const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
      return office.data('POST', `/v1/ask/${id}`, office.kim, { grant })
    }
    expect(await answer(false)).toMatchObject({ accessCode: null })
    expect((await office.verify(link.key, link.code)).json().data.validation).toBe(true)
    const { accessCode, sentTo } = await answer(true)
    expect(sentTo).toBe('rob@client.example')
    expect((await office.verify(link.key, link.code)).json().data.validation).toBe(false)
    expect((await office.verify(link.key, accessCode)).json().data.validation).toBe(true)
    await office.deliver()
    expect(office.letters.filter(({ to }) => to === 'rob@client.example').at(-1)?.text).toContain(accessCode)
  })

  it('is not asked by the hundred', async () => {
    await using office = await openOffice()
    const ask = () => office.call('POST', '/v1/ask', {}, { accessKey: 'A'.repeat(22), wants: 'code' })
    for (let i = 0; i < 5; i++) expect((await ask()).statusCode).toBe(204)
    const over = await ask()
    expect(over.statusCode).toBe(429)
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('an access code', () => {
  it('is read however it was typed', () => {
    expect(normalCode(' abcd-efgh – iloO ')).toBe('ABCDEFGH1100')
    expect(readableCode('ABCDEFGH1100')).toBe('ABCD-EFGH-1100')
  })

  it('shows every wrong sign and every two that changed places', async () => {
    await using office = await openOffice()
    const code = normalCode((await office.reserve()).accessCode)
    expect(isPossibleCode(code)).toBe(true)
    const signs = [...code]
    for (let i = 0; i < signs.length; i++) {
      for (const sign of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
        if (sign !== signs[i]) expect(isPossibleCode(signs.with(i, sign).join(''))).toBe(false)
      }
      for (let j = 0; j < i; j++) {
        const [a = '', b = ''] = [signs[i], signs[j]]
        if (a !== b) expect(isPossibleCode(signs.with(i, b).with(j, a).join(''))).toBe(false)
      }
    }
    for (const none of ['', '0'.repeat(11), '0'.repeat(13), 'ÄÖÜ']) expect(isPossibleCode(none)).toBe(false)
  })
})

const withoutId = (body: string) => body.replace(/"requestId":"[^"]+"/, '')
