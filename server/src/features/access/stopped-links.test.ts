import type { LinkState, LinkStopReason } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { type Office, openOffice } from '../link/testing.ts'

const stopped = { validation: true, expired: false, access: null, token: null, paused: true }
const minute = 60_000

async function openFirm() {
  const office = await openOffice()
  const [acme, adminId] = [await office.companyOf(office.kim), (await office.data('GET', '/v1/identity', office.admin)).id]
  const colleague = await office.addUser({ email: 'lee@acme.example', company_id: acme })
  const change = (url: string, body?: object) => office.call('POST', url, office.admin, body)
  return { ...office, acme, adminId: adminId as string, colleague, change }
}

type Firm = Awaited<ReturnType<typeof openFirm>>

interface StopCause {
  stop: (office: Firm) => Promise<unknown>
  undo: (office: Firm) => Promise<unknown>
  reasons: LinkStopReason[]
  /** The status of the requests of a visit that began before the link stopped. */
  visitStatus: 401 | 404
  /** The error of sending its details. */
  sendError: 'link.company_archived' | 'link.target_deleted' | 'link.expired'
}

const deleteFile = (office: Firm) => office.call('DELETE', `/v1/file/${office.first}`, office.kim)
const restoreFile = (office: Firm) => office.call('POST', '/v1/file/restore', office.admin, { ids: [office.first] })
const setHome = (office: Firm, company_id: string) =>
  office.deps.db.updateTable('user').set({ company_id }).where('id', '=', office.kimId).execute()

/** What can stop a link to a file, except its expiry, its deletion, the removal of its owner, and the deletion of its pinned version. */
const stopCauses: Record<string, StopCause> = {
  'its file is deleted': {
    stop: deleteFile,
    undo: restoreFile,
    reasons: ['file_deleted'],
    visitStatus: 404,
    sendError: 'link.target_deleted',
  },
  'its directory is deleted': {
    stop: (office) => office.call('DELETE', `/v1/directory/${office.plans}`, office.kim),
    undo: (office) => office.call('POST', `/v1/directory/${office.plans}/restore`, office.admin),
    reasons: ['directory_deleted'],
    visitStatus: 404,
    sendError: 'link.target_deleted',
  },
  'its owner is suspended': {
    stop: (office) => office.change(`/v1/admin/user/${office.kimId}/suspend`),
    undo: (office) => office.change(`/v1/admin/user/${office.kimId}/restore`),
    reasons: ['owner_suspended'],
    visitStatus: 401,
    sendError: 'link.expired',
  },
  'its owner is suspended, until it is handed over': {
    stop: (office) => office.change(`/v1/admin/user/${office.kimId}/suspend`),
    undo: (office) => office.change(`/v1/admin/user/${office.kimId}/handover`, { to: office.colleague }),
    reasons: ['owner_suspended'],
    visitStatus: 401,
    sendError: 'link.expired',
  },
  'its company is archived': {
    stop: (office) => office.change(`/v1/admin/company/${office.acme}/archive`),
    undo: (office) => office.change(`/v1/admin/company/${office.acme}/restore`),
    reasons: ['company_archived'],
    visitStatus: 401,
    sendError: 'link.company_archived',
  },
  'the company of its owner is archived': {
    stop: async (office) => {
      const home = await office.companyOf(office.eve)
      await office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, { access: 'all' })
      await setHome(office, home)
      await office.change(`/v1/admin/company/${home}/archive`)
    },
    undo: restoreHome,
    reasons: ['owner_company_archived'],
    visitStatus: 401,
    sendError: 'link.expired',
  },
  'its owner loses access': {
    stop: async (office) => setHome(office, await office.companyOf(office.eve)),
    undo: (office) => setHome(office, office.acme),
    reasons: ['owner_without_access'],
    visitStatus: 401,
    sendError: 'link.expired',
  },
  'several reasons apply': {
    stop: async (office) => {
      await deleteFile(office)
      await office.call('DELETE', `/v1/directory/${office.plans}`, office.kim)
      await office.change(`/v1/admin/user/${office.kimId}/suspend`)
      await office.change(`/v1/admin/company/${office.acme}/archive`)
    },
    undo: async (office) => {
      await office.change(`/v1/admin/company/${office.acme}/restore`)
      await office.call('POST', `/v1/directory/${office.plans}/restore`, office.admin)
      await restoreFile(office)
      await office.change(`/v1/admin/user/${office.kimId}/restore`)
    },
    reasons: ['company_archived', 'directory_deleted', 'file_deleted', 'owner_suspended'],
    visitStatus: 401,
    sendError: 'link.company_archived',
  },
}

async function restoreHome(office: Firm) {
  const home = await office.deps.db.selectFrom('company').select('id').where('archived_at', 'is not', null).executeTakeFirst()
  await office.change(`/v1/admin/company/${home?.id}/restore`)
}

/** Enters a code, each time from a different IP address, so that the rate limit never applies. */
function enterCode({ verify }: Office, key: string, code: string) {
  attempts += 1
  return verify(key, code, `203.0.113.${attempts}`)
}

let attempts = 0

describe.each(Object.entries(stopCauses))(
  'a link that stops because %s',
  (_, { stop, undo, reasons, visitStatus, sendError }) => {
    it('confirms the right code without giving a reason, reveals nothing for a wrong code, and works again once the cause is undone', async () => {
      await using office = await openFirm()
      const link = await office.share('LINK_FILE')
      const visitor = await office.enter(link)
      const [wrong, absent] = [
        (await enterCode(office, link.key, '0000-0000-0000')).body,
        (await enterCode(office, 'A'.repeat(22), link.code)).body,
      ]
      await stop(office)
      expect((await enterCode(office, link.key, link.code)).json().data).toEqual(stopped)
      expect((await enterCode(office, link.key, '0000-0000-0000')).body).toBe(wrong)
      expect(wrong).toBe(absent)
      for (const url of ['/v1/access', `/v1/file/${office.first}`]) {
        const reply = await office.call('GET', url, visitor)
        expect([reply.statusCode, url]).toEqual([visitStatus, url])
        if (visitStatus === 401) expect(reply.json().code).toBe('link.paused')
        expect(reply.json().detail).not.toMatch(/archiv|suspend|replac/i)
      }
      await undo(office)
      office.advance(minute)
      expect((await office.call('GET', '/v1/access', visitor)).statusCode).toBe(200)
      expect((await enterCode(office, link.key, link.code)).json().data).toMatchObject({ validation: true, access: office.first })
    })

    it('shows its state and reasons in the list, and is found by its state', async () => {
      await using office = await openFirm()
      const link = await office.share('LINK_FILE')
      await stop(office)
      if (reasons.includes('owner_without_access'))
        await office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, { access: 'own' })
      const [first = 'expired'] = reasons
      const isHidden = first === 'owner_company_archived' || first === 'owner_removed'
      const state: LinkState = isHidden ? 'owner_suspended' : first
      const listed = await office.data('GET', `/v1/link?state=${state}`, office.admin)
      expect(listed).toMatchObject([{ key: link.key, state, reasons, maker_id: office.kimId }])
      expect(await office.data('GET', '/v1/link?state=active', office.admin)).toEqual([])
    })

    it('can’t be sent until it works again', async () => {
      await using office = await openFirm()
      const { key } = await office.share('LINK_FILE')
      const to = 'rob@client.example'
      const send = (includeCode: boolean) => office.change('/v1/link/email', { key, targetEmail: to, includeCode })
      const countEmails = async () => {
        await office.deliver()
        return office.sentEmails.filter((email) => email.to === to).length
      }
      await stop(office)
      for (const includeCode of [true, false]) expect((await send(includeCode)).json().code).toBe(sendError)
      expect(await office.data('GET', '/v1/activity?action=link.code_sent', office.admin)).toEqual([])
      expect(await countEmails()).toBe(0)
      await undo(office)
      expect((await send(true)).statusCode).toBe(200)
      expect(await countEmails()).toBe(1)
    })
  },
)

describe('a colleague', () => {
  it('sees the owner as suspended if the owner’s company is archived', async () => {
    await using office = await openFirm()
    const link = await office.share('LINK_FILE')
    await stopCauses['the company of its owner is archived']?.stop(office)
    const lee = await office.startSessionAs('lee@acme.example')
    const row = await office.data('GET', `/v1/link/${link.key}/info`, lee)
    expect([row.state, row.reasons, row.maker_id]).toEqual(['owner_suspended', ['owner_suspended'], undefined])
  })
})

describe('a recipient of a stopped link', () => {
  it('gets link.paused only with a token from a visit that is still valid', async () => {
    await using office = await openFirm()
    const link = await office.share()
    const [visitor, stranger] = [await office.enter(link), { authorization: `Bearer npl_${'x'.repeat(43)}` }]
    const { accessCode } = await office.data('POST', '/v1/link/initialise', office.kim, { type: 'RESET', accessKey: link.key })
    await office.data('PATCH', '/v1/link/reset', office.kim, { accessKey: link.key, accessCode })
    const later = await office.enter({ key: link.key, code: accessCode })
    await office.change(`/v1/admin/company/${office.acme}/archive`)
    const read = async (who: Record<string, string>) => (await office.call('GET', '/v1/access', who)).json().code
    expect([await read(visitor), await read(stranger), await read(later)]).toEqual(['link.closed', 'link.closed', 'link.paused'])
    office.advance(61 * minute)
    expect(await read(later)).toBe('link.closed')
  })
})
