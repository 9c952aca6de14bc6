import { normalizeCode } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { dayMs, openOffice } from './testing.ts'

const withoutId = (body: string) => body.replace(/"requestId":"[^"]+"/, '')

describe('a link', () => {
  it('is created with a reserved key and code, and listed without its code', async () => {
    await using office = await openOffice({ PUBLIC_URL: 'https://files.acme.example' })
    const { key, code } = await office.share()
    expect(key).toMatch(/^[\w-]{22}$/)
    expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    const reply = await office.call('GET', '/v1/link', office.kim)
    expect(reply.json().data).toEqual([
      {
        key,
        url: `https://files.acme.example/access/${key}`,
        name: 'Plans',
        type: 'LINK_DIRECTORY',
        client: 'Acme GmbH',
        company: await office.companyOf(office.kim),
        directory_id: office.plans,
        file_id: null,
        date_created: office.deps.now().toISOString(),
        expiry: office.inDays(30),
        state: 'active',
        reasons: [],
        version: null,
        files: null,
        replaced: false,
        email: null,
        maker: 'Kim Doe',
        tells_download: false,
        opened: { times: 0, last_at: null },
        downloaded: { times: 0, last_at: null },
        uploaded: { times: 0, last_at: null },
      },
    ])
    expect(reply.body).not.toContain(normalizeCode(code))
    expect((await office.data('GET', '/v1/stats', office.kim)).links).toBe(1)
    expect((await office.data('GET', '/v1/stats', office.eve)).links).toBe(0)
  })

  it('does not store its code as plain text; showing it to staff is recorded', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    const row = await office.deps.db.selectFrom('link').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(normalizeCode(code))
    expect(await office.data('POST', `/v1/link/${key}/code`, office.kim)).toEqual({ accessCode: code })
    const events = await office.data('GET', `/v1/link/${key}/activity`, office.kim)
    expect(events).toMatchObject([{ kind: 'code_shown', person: 'Kim Doe' }])
  })

  it('P19: rejects a key that was not reserved, a different code, and a key that another link uses', async () => {
    await using office = await openOffice()
    const [one, two] = [await office.reserve(), await office.reserve()]
    expect(one.key).not.toBe(two.key)
    expect(one.accessCode).not.toBe(two.accessCode)
    const link = { linkType: 'LINK_DIRECTORY', directory: office.plans, expiry: office.inDays(1) }
    const create = (key: string, accessCode: string, who = office.kim, more: object = {}) =>
      office.call('POST', '/v1/link', who, { ...link, key, accessCode, ...more })
    expect((await create('A'.repeat(22), one.accessCode)).statusCode).toBe(409)
    expect((await create(one.key, two.accessCode)).statusCode).toBe(409)
    expect((await create(one.key, one.accessCode, office.admin)).statusCode).toBe(409) // reserved for someone else
    expect((await create(one.key, one.accessCode, office.kim, { directory: office.other })).statusCode).toBe(409)
    expect((await create(one.key, one.accessCode)).statusCode).toBe(200)
    const again = await create(one.key, one.accessCode, office.kim, { expiry: office.inDays(2) })
    expect([again.statusCode, again.json().code]).toEqual([409, 'link.already_created'])
    const stranger = await create(one.key, one.accessCode, office.admin)
    expect([stranger.statusCode, stranger.json().code]).toEqual([409, 'link.not_reserved'])
    office.advance(61 * 60_000)
    expect((await create(two.key, two.accessCode)).statusCode).toBe(409)
    expect(await office.data('GET', '/v1/link', office.kim)).toHaveLength(1)
  })

  it('returns the same link for a repeated request, and records it once', async () => {
    await using office = await openOffice()
    const body = { ...(await office.reserve()), linkType: 'LINK_DIRECTORY', directory: office.plans, expiry: office.inDays(1) }
    const create = () => office.call('POST', '/v1/link', office.kim, body)
    const replies = [...(await Promise.all([create(), create()])), await create()]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    for (const reply of replies) expect(reply.json().data).toEqual(replies[0]?.json().data)
    expect(await office.data('GET', '/v1/link', office.kim)).toHaveLength(1)
    const entries: { action: string }[] = await office.data('GET', '/v1/activity', office.kim)
    expect(entries.filter(({ action }) => action === 'link.created')).toHaveLength(1)
  })

  it('P16: cannot be created for a target of another company, one that does not exist, or one outside the reserved directory', async () => {
    await using office = await openOffice()
    const company = await office.companyOf(office.kim)
    const reserve = (body: object) => office.call('POST', '/v1/link/initialise', office.kim, body)
    expect((await reserve({ company, directory: office.foreign })).statusCode).toBe(404)
    expect((await reserve({ company, directory: 'absent' })).statusCode).toBe(404)
    expect((await reserve({ company: await office.companyOf(office.eve), directory: office.plans })).statusCode).toBe(404)
    expect((await reserve({ company })).json().errors).toEqual([{ field: 'directory', message: 'This field is missing.' }])
    const reserved = await office.reserve()
    const create = (target: object) =>
      office.call('POST', '/v1/link', office.kim, { ...reserved, expiry: office.inDays(1), ...target })
    for (const file of [office.foreignFile, 'absent'])
      expect((await create({ linkType: 'LINK_FILE', file })).statusCode, file).toBe(404)
    for (const directory of [office.foreign, 'absent'])
      expect((await create({ linkType: 'LINK_DIRECTORY', directory })).statusCode, directory).toBe(404)
    expect((await create({ linkType: 'LINK_FILE', file: office.hidden })).statusCode).toBe(409)
    expect((await create({ linkType: 'LINK_FILE', file: office.first, directory: office.other })).statusCode).toBe(404)
    expect((await create({ linkType: 'LINK_FILE', directory: office.plans })).statusCode).toBe(400)
    expect((await create({ linkType: 'LINK_DIRECTORY', directory: office.plans, file: office.first })).statusCode).toBe(400)
    expect(await office.data('GET', '/v1/link', office.kim)).toEqual([])
  })

  it.each([
    ['rejects', 'a date in the past', '2026-11-30'],
    ['rejects', 'the current time', '2026-12-01T09:00:00Z'],
    ['rejects', 'an invalid date', '2027-02-30'],
    ['rejects', 'a time on an invalid date', '2027-02-30T00:00:00Z'],
    ['rejects', 'a word', 'tomorrow'],
    ['rejects', 'a time without an offset', '2026-12-24T10:00:00'],
    ['rejects', 'a date a hundred years ahead', '2126-01-01'],
    ['accepts', 'today, meaning the end of the day', '2026-12-01'],
    ['accepts', 'a time with an offset', '2026-12-24T10:00:00+01:00'],
  ])('%s %s as the expiry', async (verb, _, expiry) => {
    await using office = await openOffice()
    const link = { linkType: 'LINK_DIRECTORY', directory: office.plans, ...(await office.reserve()) }
    const reply = await office.call('POST', '/v1/link', office.kim, { ...link, expiry })
    expect(reply.statusCode, reply.body).toBe(verb === 'accepts' ? 200 : 400)
    if (expiry === '2026-12-01') expect(reply.json().data.expiry).toBe('2026-12-01T23:59:59.999Z')
    if (expiry.includes('+')) expect(reply.json().data.expiry).toBe('2026-12-24T09:00:00.000Z')
    expect((await office.call('POST', '/v1/link', office.kim, link)).statusCode).toBe(400) // no expiry
  })

  it('P15: can’t be read or changed by users of another company, who get the same replies as for an unknown key', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    const before = await office.deps.db.selectFrom('link').selectAll().execute()
    const createAttempts = (key: string): [string, string, object?][] => [
      ['DELETE', `/v1/link/${key}`],
      ['POST', '/v1/link/delete', { keys: [key] }],
      ['POST', '/v1/link/initialise', { type: 'RESET', accessKey: key }],
      ['PATCH', '/v1/link/reset', { accessKey: key, accessCode: code }],
      ['POST', '/v1/link/email', { key, accessCode: code, targetEmail: 'eve@globex.example' }],
      ['POST', `/v1/link/${key}/code`],
      ['POST', `/v1/link/${key}/preview`],
      ['GET', `/v1/link/${key}/activity`],
    ]
    const absent = createAttempts('A'.repeat(22))
    for (const [i, [method, url, body]] of createAttempts(key).entries()) {
      const reply = await office.call(method, url, office.eve, body)
      const [, otherUrl = '', otherBody] = absent[i] ?? []
      expect(reply.statusCode, url).toBe(404)
      expect(withoutId(reply.body)).toBe(withoutId((await office.call(method, otherUrl, office.eve, otherBody)).body))
    }
    expect(await office.data('GET', '/v1/link', office.eve)).toEqual([])
    expect(await office.deps.db.selectFrom('link').selectAll().execute()).toEqual(before)
    expect((await office.data('GET', '/v1/link', office.admin)).length).toBe(1)
  })

  it('P18: shows strangers only its type, and staff of its company everything except the code', async () => {
    await using office = await openOffice()
    const { key } = await office.share('LINK_FILE')
    for (const stranger of [{}, office.eve])
      expect(await office.data('GET', `/v1/link/${key}/info`, stranger)).toEqual({ key, type: 'LINK_FILE' })
    expect(await office.data('GET', `/v1/link/${key}/info`, office.kim)).toMatchObject({ name: 'first.txt', maker: 'Kim Doe' })
    const unknown = await office.call('GET', `/v1/link/${'A'.repeat(22)}/info`)
    await office.call('DELETE', `/v1/link/${key}`, office.kim)
    const deleted = await office.call('GET', `/v1/link/${key}/info`)
    expect([unknown.statusCode, deleted.statusCode]).toEqual([404, 404])
    expect(withoutId(deleted.body)).toBe(withoutId(unknown.body))
  })

  it('does not log its key', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    await office.call('GET', `/v1/link/${key}/info`)
    await office.call('GET', `/v1/link/${key}/activity`, office.kim)
    expect(office.logLines.join('')).toContain('/v1/link/#')
    expect(office.logLines.join('')).not.toContain(key)
  })

  it('is found by its state, by the name of its target, and by its key', async () => {
    await using office = await openOffice()
    const [long, short] = [await office.share(), await office.share('LINK_FILE', { days: 3 })]
    const listKeys = async (query: string) =>
      (await office.data('GET', `/v1/link?${query}`, office.kim)).map(({ key }: { key: string }) => key)
    expect(await listKeys('state=active&sort=expiry')).toEqual([short.key, long.key])
    expect(await listKeys('state=expiring')).toEqual([short.key])
    expect(await listKeys('search=FIRST')).toEqual([short.key])
    expect(await listKeys(`search=${long.key}`)).toEqual([long.key])
    expect(await listKeys('search=%25')).toEqual([])
    office.advance(4 * dayMs)
    expect(await listKeys('state=expired')).toEqual([short.key])
    expect(await listKeys('state=active')).toEqual([long.key])
    await office.call('PATCH', `/v1/directory/${office.plans}`, office.kim, { directory: 'Drawings' })
    expect(await listKeys('search=drawings')).toEqual([long.key])
    const first = await office.call('GET', '/v1/link?limit=1&sort=name', office.kim)
    expect(await listKeys(`limit=1&sort=name&cursor=${first.json().next}`)).toEqual([short.key])
  })
})
