import { describe, expect, it } from 'vitest'
import { createExportTicket, openExport } from '../../features/activity/activity.service.ts'
import { record } from '../../features/audit/audit.service.ts'
import { findReader } from '../../features/identity/ticket.service.ts'
import { openOffice } from '../../features/link/testing.ts'
import { restoreUser } from '../../features/user/user.service.ts'
import { createWebhookQueue } from '../../features/webhook/webhook-queue.service.ts'
import { requireStaff } from '../../lib/actor.ts'
import { withoutRequestId } from '../../testing.ts'

/** Starts an office in which the access of Kim of Acme can be changed. */
async function openAttackedOffice() {
  const office = await openOffice()
  const [acme, globex] = [await office.companyOf(office.kim), await office.companyOf(office.eve)]
  const give = (access: string, companies?: string[]) =>
    office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, { access, ...(companies && { companies }) })
  const list = async (path: string, who: Record<string, string>): Promise<Record<string, unknown>[]> =>
    await office.data('GET', path, who)
  return { ...office, acme, globex, give, list }
}

describe('P53: an export', () => {
  it.each([
    ['all', undefined],
    ['selected', 'globex'],
  ] as const)('contains nothing more of a company once access to it is lost: %s', async (access, company) => {
    await using office = await openAttackedOffice()
    const { deps, globex } = office
    await office.give(access, company && [office[company]])
    const entries = Array.from({ length: 700 }, (_, i) => ({
      action: 'directory.created' as const,
      by: { kind: 'system' as const },
      company: globex,
      name: `Secret ${i}`,
    }))
    await deps.db.transaction().execute((trx) => record(deps, trx, entries))
    const kim = await findStaff(office, 'kim@acme.example')
    const { url } = await createExportTicket(deps, kim, {})
    const ticket = url.split('/').at(-1) ?? ''
    using exported = await openExport(deps, { ticket, address: '127.0.0.1', isGone: () => false, isHead: false })
    const lines = exported.lines[Symbol.asyncIterator]()
    await lines.next() // the names of the columns
    expect((await lines.next()).value).toContain('Secret 0')
    await office.give('own')
    let rest = ''
    for (let next = await lines.next(); !next.done; next = await lines.next()) rest += next.value
    expect(rest).not.toContain('Secret')
    expect(rest).toContain('activity.exported') // of their own company
  })

  it('is recorded without the ids it was filtered by, for those who may not see all companies', async () => {
    await using office = await openAttackedOffice()
    await office.addUser({ email: 'lee@acme.example', company_id: office.acme })
    const lee = await office.startSessionAs('lee@acme.example')
    await office.give('selected', [office.globex])
    const { url } = await office.data('POST', '/v1/activity/export', office.kim, { company: office.globex, outcome: 'done' })
    expect((await office.call('GET', url)).statusCode).toBe(200)
    const path = '/v1/activity?action=activity.exported'
    expect((await office.list(path, office.admin))[0]?.['note']).toBe(`company ${office.globex}, outcome done`)
    expect((await office.list(path, lee))[0]?.['note']).toBe('company, outcome')
  })
})

describe('P53: the activity', () => {
  it('hides from people without access to all companies how many are selected for a user', async () => {
    await using office = await openAttackedOffice()
    await office.give('selected', [office.globex])
    const notes = async (who: Record<string, string>) =>
      (await office.list('/v1/activity?action=user.access_changed', who)).map(({ note }) => note)
    expect(await notes(office.admin)).toEqual(['own → selected (1)'])
    expect(await notes(office.kim)).toEqual(['own → selected'])
    await office.give('all')
    expect(await notes(office.kim)).toEqual(['selected → all', 'own → selected (1)'])
  })

  it('hides the names of admins of companies that the caller may not see, also in lists of uploads and events of a link', async () => {
    await using office = await openAttackedOffice()
    await office.deps.db.updateTable('user').set({ name: 'Ada Admin' }).where('role', '=', 'NEPTUNE_ADMIN').execute()
    const link = await office.share()
    await office.call('POST', `/v1/link/${link.key}/code`, office.admin)
    const metadata = `filename ${btoa('b.txt')},directory ${btoa(office.plans)}`
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '4', 'upload-metadata': metadata }
    await office.call('POST', '/v1/upload', { ...office.admin, ...tus })
    for (const path of [`/v1/link/${link.key}/activity`, '/v1/upload', '/v1/activity?action=link.code_shown']) {
      expect((await office.list(path, office.kim)).map(({ person }) => person)).toEqual(['An administrator'])
      expect((await office.list(path, office.admin)).map(({ person }) => person)).toEqual(['Ada Admin'])
    }
  })
})

describe('P53: someone who loses access', () => {
  it('can’t use tickets or the preview of a link that they got before', async () => {
    await using office = await openAttackedOffice()
    await office.give('selected', [office.globex])
    const { kim, foreign, foreignFile, globex } = office
    const reserved = await office.data('POST', '/v1/link/initialise', office.eve, { company: globex, directory: foreign })
    const link = { linkType: 'LINK_DIRECTORY', directory: foreign, ...reserved, expiry: office.inDays(30) }
    await office.call('POST', '/v1/link', office.eve, link)
    const { token } = await office.data('POST', `/v1/link/${reserved.key}/preview`, kim)
    const previewer = { authorization: `Bearer ${token}` }
    const urls: string[] = []
    for (const path of [`file/${foreignFile}/ticket`, `file/${foreignFile}/preview`, `directory/${foreign}/ticket`])
      urls.push((await office.data('POST', `/v1/${path}`, kim)).url)
    for (const url of urls) expect((await office.call('GET', url)).statusCode, url).toBe(200)
    expect((await office.call('GET', '/v1/access', previewer)).statusCode).toBe(200)
    await office.give('own')
    for (const url of urls) {
      const invented = url.replace(/\.[\w-]{43}/, `.${'x'.repeat(43)}`)
      expect(withoutRequestId(await office.call('GET', url)), url).toBe(withoutRequestId(await office.call('GET', invented)))
    }
    for (const path of ['/v1/access', '/v1/file', `/v1/file/${foreignFile}`])
      expect((await office.call('GET', path, previewer)).statusCode, path).toBe(401)
  })

  it('gets no events of the company through a webhook, not even those that are about to be sent', async () => {
    await using office = await openAttackedOffice()
    const { deps, kim, globex } = office
    const queue = createWebhookQueue(deps)
    const listDeliveries = () => deps.db.selectFrom('webhook_delivery').select(['state', 'tries', 'claim']).execute()
    await office.give('selected', [globex])
    const hook = { company: globex, url: 'https://hooks.example', events: ['upload'] }
    const { id } = await office.data('POST', '/v1/webhook', kim, hook)
    await office.put(office.foreign, 'new.txt', office.eve)
    const claimed = await queue.claim([])
    expect(claimed).toHaveLength(1)
    await office.give('own')
    for (const delivery of claimed) await queue.deliver(delivery, new AbortController().signal)
    expect(await listDeliveries()).toEqual([{ state: 'waiting', tries: 0, claim: null }])
    expect(await queue.claim([])).toEqual([])
    await office.put(office.foreign, 'newer.txt', office.eve)
    expect(await listDeliveries()).toHaveLength(1)
    expect(await office.list('/v1/webhook', kim)).toEqual([])
    expect((await office.call('GET', `/v1/webhook/${id}/delivery`, kim)).json().code).toBe('webhook.not_found')
  })
})

describe('P53: a removed user', () => {
  it('stays suspended if someone restores them at the same time', async () => {
    await using office = await openAttackedOffice()
    const { deps } = office
    const admin = await findStaff(office, 'admin@neptune.example')
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    // The user is removed after the other request has found them, and before its transaction.
    const transaction = () => ({
      execute: async (work: Parameters<ReturnType<typeof deps.db.transaction>['execute']>[0]) => {
        const removed = await office.call('POST', `/v1/admin/user/${office.kimId}/remove`, office.admin, { closeLinks: true })
        expect(removed.statusCode).toBe(204)
        return deps.db.transaction().execute(work)
      },
    })
    const db = new Proxy(deps.db, {
      get: (target, name) => {
        const value = name === 'transaction' ? transaction : Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await expect(restoreUser({ ...deps, db }, admin, office.kimId)).rejects.toMatchObject({ code: 'user.not_found' })
    const { suspended_at } = await deps.db
      .selectFrom('user')
      .select('suspended_at')
      .where('id', '=', office.kimId)
      .executeTakeFirstOrThrow()
    expect(suspended_at).not.toBeNull()
  })
})

/** Returns a user as the server sees them during a request. */
async function findStaff({ deps }: Awaited<ReturnType<typeof openAttackedOffice>>, email: string) {
  const { id } = await deps.db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select('session.id')
    .where('user.email', '=', email)
    .executeTakeFirstOrThrow()
  const reader = await findReader(deps, { kind: 'staff', sessionId: id } as Parameters<typeof findReader>[1])
  return requireStaff(reader ?? { kind: 'anonymous' })
}
