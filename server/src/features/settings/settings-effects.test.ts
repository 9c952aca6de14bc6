import type { SectionName, Settings } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { password, toBearerHeader } from '../../testing.ts'
import { dayMs, openOffice } from '../link/testing.ts'
import { warnAboutQuotas } from '../quota/quota-warning.service.ts'
import { emptyTrash } from '../trash/trash.service.ts'
import { setSettings, startWithAdmin } from './testing.ts'

const minute = 60_000

async function openConfigurableOffice() {
  const office = await openOffice()
  const set = <S extends SectionName>(section: S, values: Partial<Settings[S]>) =>
    setSettings({ app: office.app, headers: office.admin }, section, values)
  return { ...office, set }
}

describe('storage settings', () => {
  it('limit the size of files immediately', async () => {
    await using office = await openConfigurableOffice()
    await office.set('storage', { max_upload_bytes: 10 })
    expect((await office.put(office.plans, 'a.txt', office.kim, 'x'.repeat(10))).statusCode).toBe(200)
    expect((await office.put(office.plans, 'b.txt', office.kim, 'x'.repeat(11))).json().code).toBe('file.too_large')
    expect((await office.call('OPTIONS', '/v1/upload')).headers['tus-max-size']).toBe('10')
  })

  it('give companies a quota, and warn about it', async () => {
    await using office = await openConfigurableOffice()
    const company = await office.companyOf(office.kim)
    const { bytes } = await office.data('GET', `/v1/company/${company}`, office.kim)
    await office.set('storage', { company_quota_bytes: bytes + 1 })
    expect(await office.data('GET', `/v1/company/${company}`, office.kim)).toMatchObject({ quota: bytes + 1 })
    expect((await office.put(office.plans, 'a.txt', office.kim, 'xx')).json().code).toBe('company.full')
    await warnAboutQuotas(office.deps)
    await office.deliver()
    expect(office.sentEmails).toHaveLength(1)
    await office.set('storage', { company_quota_bytes: null })
    expect((await office.put(office.plans, 'a.txt', office.kim, 'xx')).statusCode).toBe(200)
  })

  it('determine when the trash is emptied', async () => {
    await using office = await openConfigurableOffice()
    await office.set('storage', { trash_days: 2 })
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    const [file] = await office.data('GET', '/v1/file?trash=true', office.kim)
    expect(file.gone_at).toBe(office.inDays(2))
    office.advance(1.5 * dayMs)
    expect(await emptyTrash(office.deps)).toHaveLength(0)
    await office.set('storage', { trash_days: 1 })
    expect(await emptyTrash(office.deps)).toHaveLength(1)
  })
})

describe('link settings', () => {
  it('limit how far ahead a new link may expire, up to the end of the last day in any time zone', async () => {
    await using office = await openConfigurableOffice()
    await office.set('links', { default_days: 1, max_days: 14 })
    const create = async (expiry: string) => {
      const reserved = await office.reserve()
      const body = { linkType: 'LINK_DIRECTORY', directory: office.plans, ...reserved, expiry }
      return office.call('POST', '/v1/link', office.kim, body)
    }
    // The current time is 1 December, 9:00 UTC.
    for (const expiry of ['2026-12-15', '2026-12-15T23:59:59.999-08:00', '2026-12-15T23:59:59.999+14:00'])
      expect((await create(expiry)).statusCode).toBe(200)
    for (const expiry of ['2026-12-17', '2026-12-16T23:59:59.999-08:00', '2030-01-01']) {
      const reply = await create(expiry)
      expect(reply.statusCode).toBe(400)
      expect(reply.json().errors).toEqual([{ field: 'expiry', message: 'This must be within 14 days.' }])
    }
  })

  it('limit how far a link is extended, by staff and on request of a recipient', async () => {
    await using office = await openConfigurableOffice()
    const { key } = await office.share('LINK_DIRECTORY', { days: 10 })
    await office.set('links', { default_days: 1, max_days: 14 })
    const extend = () => office.call('POST', `/v1/link/${key}/extend`, office.kim)
    const until = await office.call('POST', `/v1/link/${key}/extend`, office.kim, { expiry: office.inDays(16) })
    expect(until.json().errors).toEqual([{ field: 'expiry', message: 'This must be within 14 days.' }])
    expect((await extend()).json().data.expiry).toBe(office.inDays(14))
    expect((await extend()).json().code).toBe('link.max_lifetime')
    await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'time' })
    const [{ id }] = await office.data('GET', '/v1/ask', office.kim)
    const answer = () => office.call('POST', `/v1/ask/${id}`, office.kim, { grant: true })
    expect((await answer()).json().code).toBe('link.max_lifetime')
    office.advance(dayMs)
    expect((await answer()).json().data.link.expiry).toBe(office.inDays(14))
  })

  it('do not shorten the lifetime of existing links', async () => {
    await using office = await openConfigurableOffice()
    const link = await office.share('LINK_DIRECTORY', { days: 60 })
    await office.set('links', { default_days: 1, max_days: 14 })
    office.advance(30 * dayMs)
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ validation: true, expired: false })
  })

  it('limit what recipients upload and how long visits last, including visits that began before the change', async () => {
    await using office = await openConfigurableOffice()
    const recipient = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    await office.set('links', { max_files: 1, max_bytes: 10 })
    expect((await office.put(office.plans, 'a.txt', recipient, 'x'.repeat(11))).json().code).toBe('link.full')
    expect((await office.put(office.plans, 'a.txt', recipient, 'x')).statusCode).toBe(200)
    expect((await office.put(office.plans, 'b.txt', recipient, 'x')).json().code).toBe('link.full')
    office.advance(30 * minute)
    expect((await office.call('GET', '/v1/access', recipient)).statusCode).toBe(200)
    await office.set('links', { session_minutes: 20 })
    expect((await office.call('GET', '/v1/access', recipient)).statusCode).toBe(401)
  })

  it('determine when the owner is notified about uploads', async () => {
    await using office = await openConfigurableOffice()
    await office.set('links', { notice_minutes: 0 })
    const recipient = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    await office.put(office.plans, 'a.txt', recipient, 'x')
    await office.deliver()
    expect(office.sentEmails).toHaveLength(1)
  })
})

describe('security settings', () => {
  const isSignedIn = async (server: Awaited<ReturnType<typeof startWithAdmin>>, headers: Record<string, string>) =>
    (await server.app.inject({ url: '/v1/identity', headers })).statusCode === 200

  it('limit the lifetime of new sessions, and of sessions that began before', async () => {
    await using server = await startWithAdmin()
    const kim = await server.startSessionAs('admin@acme.example')
    await server.set('security', { session_minutes: 60 })
    server.advance(59 * minute)
    expect(await isSignedIn(server, kim)).toBe(true)
    server.advance(minute)
    expect(await isSignedIn(server, kim)).toBe(false)
    const reply = await server.signIn('admin@acme.example')
    expect(Date.parse(reply.json().expiresAt) - server.clock.now.getTime()).toBe(60 * minute)
  })

  it('end idle sessions, but keep those in use', async () => {
    await using server = await startWithAdmin()
    const [active, idle] = [await server.startSessionAs('admin@acme.example'), await server.startSessionAs('admin@acme.example')]
    await server.set('security', { session_idle_minutes: 1 })
    for (let seconds = 0; seconds < 90; seconds += 30) {
      expect(await isSignedIn(server, active)).toBe(true)
      server.advance(30_000)
    }
    expect(await isSignedIn(server, active)).toBe(true)
    expect(await isSignedIn(server, idle)).toBe(false)
  })

  it('set a separate idle timeout for remembered sessions', async () => {
    await using server = await startWithAdmin()
    const reply = await server.signIn('admin@acme.example', password, { remember: true })
    const remembered = toBearerHeader(reply.json().token)
    await server.set('security', { session_idle_minutes: 1, session_remembered_idle_minutes: 120 })
    server.advance(119 * minute)
    expect(await isSignedIn(server, remembered)).toBe(true)
    server.advance(120 * minute)
    expect(await isSignedIn(server, remembered)).toBe(false)
    const again = await server.signIn('admin@acme.example', password, { remember: true })
    expect(String(again.headers['set-cookie'])).toContain('Max-Age=7200')
  })
})
