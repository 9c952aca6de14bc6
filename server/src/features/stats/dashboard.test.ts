import type { Dashboard } from '@neptune/contract'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createHashWithoutPassword } from '../../lib/password/passwords.ts'
import { insertEntries, setHead } from '../audit/audit.repo.ts'
import { dayMs, type Office, openOffice } from '../link/testing.ts'
import { createFirstAdmin } from '../user/user.service.ts'
import { countAllTransfers } from './transfer.service.ts'

const readDashboard = async (office: Office, who: Record<string, string>): Promise<Dashboard> =>
  office.data('GET', '/v1/dashboard', who)
const readToday = async (office: Office, who: Record<string, string>) => (await readDashboard(office, who)).transfers.at(-1)

it('counts transfers by day: of all companies for admins, of their own for users', async () => {
  await using office = await openOffice()
  const { kim, eve, admin } = office
  // Three files of Acme and one of Globex, each as long as its name.
  expect(await readToday(office, kim)).toEqual({ day: '2026-12-01', uploads: 3, downloads: 0, bytes_in: 29, bytes_out: 0 })
  await office.call('GET', `/v1/file/${office.first}`, kim)
  await office.call('GET', `/v1/directory/${office.plans}/zip`, kim)
  office.advance(dayMs)
  await office.call('GET', `/v1/file/${office.foreignFile}`, eve)
  const { transfers } = await readDashboard(office, kim)
  expect(transfers).toHaveLength(30)
  expect(transfers.map((row) => row.day).slice(-3)).toEqual(['2026-11-30', '2026-12-01', '2026-12-02'])
  expect(transfers.slice(-2).map(({ uploads, downloads }) => [uploads, downloads])).toEqual([
    [3, 2],
    [0, 0],
  ])
  expect(transfers.at(-2)?.bytes_out).toBeGreaterThan(9 + 'first.txtsecond.txt'.length)
  expect(await readToday(office, eve)).toMatchObject({ uploads: 0, downloads: 1, bytes_out: 11 })
  expect((await readDashboard(office, admin)).transfers.slice(-2).map(({ uploads, downloads }) => [uploads, downloads])).toEqual([
    [4, 2],
    [0, 1],
  ])
})

it('counts every transfer once under concurrent requests, and deletes older days', async () => {
  await using office = await openOffice()
  await Promise.all(
    Array.from({ length: 8 }, () => Promise.all([readDashboard(office, office.admin), countAllTransfers(office.deps)])),
  )
  expect(await readToday(office, office.admin)).toMatchObject({ uploads: 4 })
  office.advance(40 * dayMs)
  await office.put(office.plans, 'late.txt', office.kim)
  expect((await readDashboard(office, office.admin)).transfers.reduce((sum, { uploads }) => sum + uploads, 0)).toBe(1)
  const kept = await office.deps.db.selectFrom('transfer').select('day').execute()
  expect(new Set(kept.map((row) => row.day))).toEqual(new Set(['2027-01-10']))
})

it('counts the last month of a long audit log after an update', async () => {
  await using office = await openOffice()
  const { db } = office.deps
  const row = { action: 'file.uploaded', outcome: 'done', who: 'system', name: 'a', size: 10, times: 1, mac: 'x' } as const
  const none = { person_id: null, person: null, client: null, link_key: null, directory_id: null, file_id: null }
  const rest = { ...none, company_id: null, bytes: null, note: null }
  const { seq = 0 } = (await db.selectFrom('audit').select('seq').orderBy('seq', 'desc').executeTakeFirst()) ?? {}
  const rows = Array.from({ length: 6000 }, (_, index) => {
    const at = new Date(Date.parse('2026-10-01T00:00:00Z') + Math.floor(index / 100) * dayMs).toISOString()
    return { ...row, ...rest, seq: Number(seq) + 1 + index, at }
  })
  for (let i = 0; i < rows.length; i += 1000) await insertEntries(db, rows.slice(i, i + 1000))
  await setHead(db, { seq: Number(seq) + rows.length, mac: 'x' })
  await countAllTransfers(office.deps)
  const { transfers } = await readDashboard(office, office.admin)
  // A hundred uploads a day from 2 to 29 November, then the four of the office.
  expect(transfers.map(({ uploads }) => uploads)).toEqual([...Array(28).fill(100), 0, 4])
})

it('shows the storage of companies and their quota', async () => {
  await using office = await openOffice({ COMPANY_QUOTA_BYTES: '1000000' })
  await office.put(office.plans, 'large.txt', office.kim, 'x'.repeat(1000))
  await office.call('DELETE', `/v1/file/${office.second}`, office.kim)
  const { storage } = await readDashboard(office, office.admin)
  expect(storage.companies.map(({ name, bytes, files }) => [name, bytes, files])).toEqual([
    ['Acme GmbH', 1029, 3],
    ['Acme 2', 11, 1],
    ['Acme 3', 0, 0],
  ])
  expect(storage).toMatchObject({ total: 3, quota: 1_000_000 })
  const ownStorage = (await readDashboard(office, office.eve)).storage
  expect(ownStorage).toMatchObject({ total: 1, companies: [{ name: 'Acme 2' }] })
  for (let i = 0; i < 5; i++) await office.call('POST', '/v1/admin/company', office.admin, { name: `More ${i}` })
  expect((await readDashboard(office, office.admin)).storage).toMatchObject({ total: 8, companies: { length: 6 } })
})

const listOpenSteps = async (office: Office, who: Record<string, string>) =>
  (await readDashboard(office, who)).start?.filter(({ done }) => !done).map(({ step }) => step) ?? null

it('shows a new user the steps still to do, based on what exists', async () => {
  await using office = await openOffice()
  const { admin, kim, eve, call } = office
  expect((await readDashboard(office, eve)).start?.map(({ step }) => step)).toEqual(['password', 'directory', 'file', 'link'])
  expect(await listOpenSteps(office, eve)).toEqual(['password', 'link'])
  expect(await listOpenSteps(office, admin)).toEqual(['password', 'link'])
  await office.share()
  expect(await listOpenSteps(office, kim)).toEqual(['password'])
  const passwords = { oldPassword: 'correct horse battery staple', newPassword: 'a password of my own, and long' }
  const { token } = (await call('PATCH', '/v1/identity/password', kim, passwords)).json()
  expect(await listOpenSteps(office, { authorization: `Bearer ${token}` })).toEqual([])
  office.advance(31 * dayMs)
  expect(await listOpenSteps(office, await office.startSessionAs('eve@globex.example'))).toBeNull()
})

it('doesn’t ask someone without a password to change it', async () => {
  await using office = await openOffice()
  expect(await listOpenSteps(office, office.eve)).toContain('password')
  await office.deps.db
    .updateTable('user')
    .set({ password_hash: createHashWithoutPassword() })
    .where('email', '=', 'eve@globex.example')
    .execute()
  expect(await listOpenSteps(office, office.eve)).not.toContain('password')
})

/** Opens an office whose database is as new as on the first start, and signs in as the first admin. */
async function openNewInstallation(settings: Record<string, string> = {}) {
  const office = await openOffice(settings)
  for (const table of ['link', 'file', 'directory', 'company_total', 'session', 'user', 'company'])
    await sql`delete from ${sql.table(table)}`.execute(office.deps.db)
  await createFirstAdmin(office.deps, () => undefined)
  const admin = await office.startSessionAs('admin@neptune.local')
  /** Changes a section of the settings. */
  const set = (section: string, values: object) =>
    office.call('PATCH', `/v1/admin/settings/${section}`, admin, { version: 0, values })
  return Object.assign(office, { admin, set })
}

it.each([
  [undefined, ['password']],
  ['chosen by the operator', []],
])('asks the first admin for a name, and for a password unless ADMIN_PASSWORD is set: %s', async (adminPassword, steps) => {
  await using office = await openNewInstallation(adminPassword ? { ADMIN_PASSWORD: adminPassword } : {})
  const findStep = async () => (await listOpenSteps(office, office.admin))?.filter((step) => step === 'password')
  expect(await findStep()).toEqual(['password'])
  await office.deps.db.updateTable('user').set({ name: 'Andrea Keller' }).execute()
  expect(await findStep()).toEqual(steps)
})

it('shows admins of a new installation how to set up the portal, and checks off what exists', async () => {
  await using office = await openNewInstallation({ ADMIN_PASSWORD: 'chosen by the operator' })
  const { admin, call, set } = office
  await office.deps.db.updateTable('user').set({ name: 'Andrea Keller' }).execute()
  const readSetUp = async () => office.data('GET', '/v1/admin/setup', admin)
  const readOpenSteps = async () => {
    const steps = await listOpenSteps(office, admin)
    const setUp = (await readSetUp()).steps.filter(({ done }: { done: boolean }) => !done)
    expect(setUp.map(({ step }: { step: string }) => step)).toEqual(steps)
    return steps
  }
  expect(await readOpenSteps()).toEqual(['organisation', 'logo', 'email', 'company', 'link'])
  await set('organisation', { name: 'Keller & Partner' })
  expect(await readOpenSteps()).toEqual(['logo', 'email', 'company', 'link'])
  await set('appearance', { accent: '#aa3377' })
  await set('email', { smtp_host: 'mail.example' })
  expect(await readOpenSteps()).toEqual(['company', 'link'])
  const { id } = await office.data('POST', '/v1/admin/company', admin, { name: 'Globex' })
  expect(await readOpenSteps()).toEqual(['link'])
  const directory = (await office.data('POST', '/v1/directory', admin, { directory: 'Plans', client: id })).id
  const reserved = await office.data('POST', '/v1/link/initialise', admin, { company: id, directory })
  await call('POST', '/v1/link', admin, { linkType: 'LINK_DIRECTORY', directory, ...reserved, expiry: office.inDays(30) })
  expect(await readOpenSteps()).toEqual([])
  expect((await readSetUp()).is_new).toBe(true)
})

it('shows no set-up steps once the installation is thirty days old, even to a new admin', async () => {
  await using office = await openNewInstallation()
  office.advance(31 * dayMs)
  const admin = await office.startSessionAs('admin@neptune.local')
  expect(await listOpenSteps(office, admin)).toBeNull()
  expect((await office.data('GET', '/v1/admin/setup', admin)).is_new).toBe(false)
  await office.addUser({ email: 'new@acme.example', role: 'NEPTUNE_ADMIN' })
  expect(await listOpenSteps(office, await office.startSessionAs('new@acme.example'))).toEqual([
    'password',
    'directory',
    'file',
    'link',
  ])
})

it('extends a link by thirty days, notifies its recipient and records it', async () => {
  await using office = await openOffice()
  const { key } = await office.share('LINK_DIRECTORY', { days: 2 })
  await office.call('POST', '/v1/link/email', office.kim, { key, targetEmail: 'rob@client.example' })
  await office.deliver()
  const { expiry } = await office.data('POST', `/v1/link/${key}/extend`, office.kim)
  expect(expiry).toBe(office.inDays(32))
  await office.deliver()
  expect(office.sentEmails.map(({ to }) => to)).toEqual(['rob@client.example', 'rob@client.example'])
  office.advance(40 * dayMs)
  expect(await office.data('POST', `/v1/link/${key}/extend`, office.kim)).toMatchObject({
    state: 'active',
    expiry: '2027-02-09T23:59:59.999Z', // the end of the day
  })
  expect((await office.call('POST', `/v1/link/${key}/extend`, office.eve)).statusCode).toBe(404)
  const [row] = await office.data('GET', '/v1/activity?action=link.extended', office.kim)
  expect(row).toMatchObject({ link: key, person: 'Kim Doe', note: 'until 2027-02-09' })
})
