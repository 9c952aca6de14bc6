import { codeAlphabet } from '@neptune/contract'
import { describe, expect, it, vi } from 'vitest'
import { collectEntriesDuring } from '../activity/testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { dayMs, openOffice } from '../link/testing.ts'

const refused = { validation: false, expired: false, access: null, token: null }
const minute = 60_000

describe('entering a code', () => {
  it.each([
    ['LINK_FILE', 'first'],
    ['LINK_DIRECTORY', 'plans'],
    ['LINK_EDITABLE_DIRECTORY', 'plans'],
  ] as const)('opens %s, however the code is typed', async (type, access) => {
    await using office = await openOffice()
    const { key, code } = await office.share(type)
    const typed = ` ${code.toLowerCase().replaceAll('-', '').replaceAll('0', 'o').replaceAll('1', 'l')} `
    const { data } = (await office.verify(key, typed)).json()
    expect(data).toEqual({ validation: true, expired: false, access: office[access], token: expect.any(String) })
    expect(data.token).toMatch(/^npl_[\w-]{43}$/)
    const link = await office.data('GET', '/v1/access', { authorization: `Bearer ${data.token}` })
    expect(link).toMatchObject({ key, type, shared_by: 'Kim Doe', client: 'Acme GmbH', is_preview: false })
    expect(link).toMatchObject(type === 'LINK_FILE' ? { files: 1, size: 9, name: 'first.txt' } : { files: 2, size: 19 })
    const rows = await office.deps.db.selectFrom('link_session').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(data.token)
  })

  it('P18: returns the same reply for a wrong code, an unknown key and a deleted link', async () => {
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

  it('rejects a client that tries many keys, without starting a transaction', async () => {
    await using office = await openOffice()
    const createKey = (n: number) => `${'A'.repeat(19)}${String(n).padStart(3, '0')}`
    for (let n = 0; n < 60; n++) await office.verify(createKey(n), '0000-0000-0000')
    expect((await office.verify(createKey(60), '0000-0000-0000')).statusCode).toBe(429)
    await writeQueuedEntries(office.deps) // otherwise the queued entry would be written below, and counted as a transaction
    const transactions = vi.spyOn(office.deps.db, 'transaction')
    expect((await office.verify(createKey(61), '0000-0000-0000')).statusCode).toBe(429)
    expect(transactions).not.toHaveBeenCalled()
    expect((await office.verify(createKey(62), '0000-0000-0000', '198.51.100.8')).statusCode).toBe(200)
    office.advance(16 * minute)
    expect((await office.verify(createKey(63), '0000-0000-0000')).statusCode).toBe(200)
  })

  it('P25: rejects a code or a key that is not a string, or is too long', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    for (const bad of [[code], { code }, 12, true, null, undefined, 'x'.repeat(100_000), ''])
      expect((await office.verify(key, bad)).statusCode, String(bad).slice(0, 20)).toBe(400)
    for (const bad of [[key], { key }, null, 'x'.repeat(65)]) expect((await office.verify(bad, code)).statusCode).toBe(400)
  })

  it('P20: reveals that a link has expired only for the right code, and opens nothing', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_FILE', { days: 1 })
    const visitor = await office.enter(link)
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).statusCode).toBe(200)
    office.advance(dayMs)
    expect((await office.verify(link.key, link.code)).json().data).toEqual({
      validation: true,
      expired: true,
      access: null,
      token: null,
    })
    expect((await office.verify(link.key, '0000-0000-0000')).json().data).toEqual(refused)
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).statusCode).toBe(401)
  })

  it('confirms the right code of a paused link without opening it, and reveals nothing for a wrong code', async () => {
    await using office = await openOffice()
    const link = await office.share()
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    const closed = { validation: true, expired: false, access: null, token: null }
    expect((await office.verify(link.key, link.code)).json().data).toEqual({ ...closed, paused: true })
    const wrong = await office.verify(link.key, '0000-0000-0000')
    expect(wrong.body).toBe((await office.verify('A'.repeat(22), link.code)).body)
    // Right codes do not count as attempts: ten more do not lock this address out.
    for (let i = 0; i < 10; i++) await office.verify(link.key, link.code)
    await office.call('POST', `/v1/admin/user/${office.kimId}/restore`, office.admin)
    expect((await office.verify(link.key, link.code)).json().data).toEqual({
      ...closed,
      access: office.plans,
      token: expect.any(String),
    })
  })

  it.each(['expired', 'owner_suspended'] as const)(
    'does not record a right code as wrong when the state of the link is %s',
    async (state) => {
      await using office = await openOffice()
      const link = await office.share('LINK_DIRECTORY', { days: 1 })
      if (state === 'expired') office.advance(2 * dayMs)
      else await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
      const rows = await collectEntriesDuring(office, () => office.verify(link.key, link.code))
      await office.verify(link.key, link.code)
      await office.verify(link.key, 'wrong')
      const events = await office.data('GET', `/v1/link/${link.key}/activity`, office.admin)
      expect(events).toMatchObject([{ kind: 'tried', times: 2, client: '198.51.100.7' }])
      expect(rows).toMatchObject([{ action: 'link.unavailable', outcome: 'refused', name: 'Plans', note: state }])
    },
  )

  it('P05: allows ten attempts from one address, even in parallel and with forged headers; other addresses are not affected', async () => {
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
    const checked = replies.filter(({ statusCode }) => statusCode === 200)
    const limited = replies.filter(({ statusCode }) => statusCode === 429)
    expect([checked.length, limited.length]).toEqual([10, 70])
    for (const { headers } of limited) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await office.verify(key, code, '203.0.113.9')).statusCode).toBe(429) // reveals nothing
    expect((await office.verify(key, code, '198.51.100.7')).json().data.validation).toBe(true)
    office.advance(15 * minute)
    expect((await office.verify(key, code, '203.0.113.9')).json().data.validation).toBe(true)
  })

  it('does not count the right code as an attempt', async () => {
    await using office = await openOffice()
    const { key, code } = await office.share()
    for (let i = 0; i < 30; i++) expect((await office.verify(key, code)).json().data.validation).toBe(true)
    expect(await office.deps.db.selectFrom('throttle').selectAll().execute()).toEqual([])
    expect((await office.data('GET', '/v1/link', office.kim))[0].opened.times).toBe(30)
  })
})
