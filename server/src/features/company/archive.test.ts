import { describe, expect, it } from 'vitest'
import { password, toBearerHeader, withoutRequestId } from '../../testing.ts'
import { cookieOf } from '../identity/testing.ts'
import { openOffice } from '../link/testing.ts'
import { addAdmin } from '../user/admin.service.ts'

type Headers = Record<string, string>

/** Starts a server in which Eve of Globex also has access to Acme, where Kim works. */
async function openFirm() {
  const office = await openOffice()
  const [acme, globex] = [await office.companyOf(office.kim), await office.companyOf(office.eve)]
  const { company: firm, id: adminId } = await office.data('GET', '/v1/identity', office.admin)
  const { user_id: eveId } = await office.deps.db
    .selectFrom('user')
    .select('id as user_id')
    .where('email', '=', 'eve@globex.example')
    .executeTakeFirstOrThrow()
  const access = (id: string, companies: string[]) =>
    office.call('PATCH', `/v1/admin/user/${id}/access`, office.admin, { access: 'selected', companies })
  await access(eveId, [acme])
  const archive = (id = acme) => office.call('POST', `/v1/admin/company/${id}/archive`, office.admin)
  const restore = (id = acme) => office.call('POST', `/v1/admin/company/${id}/restore`, office.admin)
  const statusOf = async (who: Headers, url = '/v1/identity') => (await office.call('GET', url, who)).statusCode
  const signIn = (email = 'kim@acme.example') => office.call('POST', '/v1/identity/login', {}, { email, password })
  return { ...office, acme, globex, firm, adminId, eveId, access, archive, restore, statusOf, signIn }
}

describe('an archived company', () => {
  it('shows when it was archived, and is recorded in the activity once', async () => {
    await using office = await openFirm()
    expect((await office.archive()).json().data).toMatchObject({ id: office.acme, archived_at: '2026-12-01T09:00:00.000Z' })
    office.advance(1000)
    expect((await office.archive()).json().data.archived_at).toBe('2026-12-01T09:00:00.000Z')
    expect((await office.restore()).json().data.archived_at).toBeNull()
    expect((await office.restore()).statusCode).toBe(200)
    const entries = await office.data('GET', `/v1/activity?company=${office.acme}&limit=2`, office.admin)
    expect(entries.map(({ action, name }: { action: string; name: string }) => [action, name])).toEqual([
      ['company.restored', 'Acme GmbH'],
      ['company.archived', 'Acme GmbH'],
    ])
    expect((await office.archive('absent')).json().code).toBe('company.not_found')
    expect((await office.restore('absent')).json().code).toBe('company.not_found')
  })

  it('is listed only with archived=true', async () => {
    await using office = await openFirm()
    await office.archive()
    for (const path of ['/v1/company', '/v1/admin/company']) {
      const listNames = async (query: string, who = office.admin) =>
        (await office.data('GET', path + query, who)).map(({ name }: { name: string }) => name)
      expect(await listNames('')).toEqual(['Acme 2', 'Acme 3'])
      expect(await listNames('?archived=true&sort=-name')).toEqual(['Acme GmbH'])
      expect(await listNames('?archived=true&search=acme', office.eve)).toEqual(['Acme GmbH'])
      expect(await listNames('', office.eve)).toEqual(['Acme 2'])
    }
    await office.restore()
    expect(await office.data('GET', '/v1/company?archived=true', office.admin)).toEqual([])
  })

  it('can’t be the company of the last admin who can sign in', async () => {
    await using office = await openFirm()
    expect((await office.archive(office.firm)).json().code).toBe('company.last_admin')
    const other = await office.addUser({ email: 'boss@globex.example', role: 'NEPTUNE_ADMIN', company_id: office.globex })
    await office.call('POST', `/v1/admin/user/${other}/suspend`, office.admin)
    expect((await office.archive(office.firm)).json().code).toBe('company.last_admin')
    await office.call('POST', `/v1/admin/user/${other}/restore`, office.admin)
    await office.archive(office.globex)
    expect((await office.archive(office.firm)).json().code).toBe('company.last_admin')
    await office.restore(office.globex)
    expect((await office.archive(office.firm)).statusCode).toBe(200)
    expect(await office.statusOf(office.admin)).toBe(401)
  })

  it('is not chosen as the company of an admin that an operator adds', async () => {
    await using office = await openFirm()
    await office.addUser({ email: 'boss@globex.example', role: 'NEPTUNE_ADMIN', company_id: office.globex })
    await office.archive(office.firm)
    await addAdmin(office.deps, { email: 'rescue@neptune.example', name: 'Rescue', password })
    expect((await office.signIn('rescue@neptune.example')).json().info.company).toBe(office.globex)
  })

  it('can still be renamed and given a note', async () => {
    await using office = await openFirm()
    await office.archive()
    const reply = await office.call('PATCH', `/v1/admin/company/${office.acme}`, office.admin, {
      name: 'Acme (old)',
      note: 'Left.',
    })
    expect(reply.json().data).toMatchObject({ name: 'Acme (old)', note: 'Left.' })
  })
})

describe('the people of an archived company', () => {
  it('lose access at once, and can’t sign in, like suspended people; their sessions and tokens work again after a restore', async () => {
    await using office = await openFirm()
    const { data } = (await office.call('POST', '/v1/token', office.kim, { name: 'Script', scope: 'read' })).json()
    const token = toBearerHeader(data.token)
    const read = async () => [await office.statusOf(office.kim), await office.statusOf(token, '/v1/stats')]
    const isMarked = async () => (await office.data('GET', `/v1/admin/user/${office.kimId}`, office.admin)).company_archived
    expect([await read(), await isMarked()]).toEqual([[200, 200], false])
    await office.archive()
    expect([await read(), await isMarked()]).toEqual([[401, 401], true])
    const archived = await office.signIn()
    await office.restore()
    // The session and the token are still valid.
    expect(await read()).toEqual([200, 200])
    expect((await office.signIn()).statusCode).toBe(200)
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    const suspended = await office.signIn()
    expect(archived.json().code).toBe('session.wrong_credentials')
    expect(withoutRequestId(archived)).toBe(withoutRequestId(suspended))
  })

  it('can’t continue a session in a new tab, nor reset their password', async () => {
    await using office = await openFirm()
    const cookie = cookieOf(await office.signIn())
    const restoreTab = async () => (await office.call('POST', '/v1/identity/session', { cookie, 'x-neptune': '1' })).statusCode
    const countResets = async () => {
      await office.call('POST', '/v1/identity/forgot', {}, { email: 'kim@acme.example' })
      await office.deliver()
      return office.sentEmails.filter(({ to, subject }) => to === 'kim@acme.example' && subject === 'Choose a new password')
        .length
    }
    expect(await restoreTab()).toBe(200)
    await office.archive()
    expect([await restoreTab(), await countResets()]).toEqual([401, 0])
    await office.restore()
    expect(await restoreTab()).toBe(200)
    expect(await countResets()).toBeGreaterThan(0)
  })

  it('have no working links in other companies until their own company is restored', async () => {
    await using office = await openFirm()
    await office.access(office.kimId, [office.globex])
    const reserved = await office.data('POST', '/v1/link/initialise', office.kim, {
      company: office.globex,
      directory: office.foreign,
    })
    const body = { linkType: 'LINK_DIRECTORY', directory: office.foreign, ...reserved, expiry: office.inDays(30) }
    expect((await office.call('POST', '/v1/link', office.kim, body)).statusCode).toBe(200)
    const visitor = await office.enter({ key: reserved.key, code: reserved.accessCode })
    const readStates = async () => [
      await office.statusOf(visitor, '/v1/access'),
      (await office.data('GET', `/v1/link?company=${office.globex}`, office.admin))[0].state,
      (await office.data('GET', `/v1/link?company=${office.globex}&state=owner_suspended`, office.admin)).length,
    ]
    expect(await readStates()).toEqual([200, 'active', 0])
    await office.archive()
    expect(await readStates()).toEqual([401, 'owner_suspended', 1])
    await office.restore()
    expect(await readStates()).toEqual([200, 'active', 0])
  })
})

describe('the links of an archived company', () => {
  it('are paused for recipients, and reveal nothing without the code', async () => {
    await using office = await openFirm()
    const link = await office.share()
    const visitor = await office.enter(link)
    const unknown = (await office.verify('unknown', 'wrong')).json()
    await office.archive()
    expect((await office.call('GET', '/v1/access', visitor)).json().code).toBe('link.paused')
    expect((await office.verify(link.key, 'wrong')).json()).toEqual(unknown)
    expect((await office.verify(link.key, link.code)).json().data).toEqual({
      validation: true,
      expired: false,
      paused: true,
      access: null,
      token: null,
    })
    const countLinks = async (query: string) => (await office.data('GET', `/v1/link?${query}`, office.admin)).length
    expect([await countLinks('state=company_archived'), await countLinks('state=active')]).toEqual([1, 0])
    expect((await office.data('GET', '/v1/company?archived=true', office.admin))[0].active_links).toBe(0)
    await office.restore()
    expect([await countLinks('state=company_archived'), await countLinks('state=active')]).toEqual([0, 1])
    expect(await office.statusOf(visitor, '/v1/access')).toBe(200)
    expect((await office.verify(link.key, link.code)).json().data.token).toEqual(expect.any(String))
  })

  it('can’t be extended, sent, reset or previewed, but can be deleted', async () => {
    await using office = await openFirm()
    const link = await office.share()
    const reset = { type: 'RESET', accessKey: link.key }
    const { accessCode } = await office.data('POST', '/v1/link/initialise', office.eve, reset)
    await office.archive()
    const replies = [
      await office.call('POST', `/v1/link/${link.key}/extend`, office.eve),
      await office.call('POST', '/v1/link/email', office.eve, { key: link.key, targetEmail: 'rob@client.example' }),
      await office.call('POST', '/v1/link/initialise', office.eve, reset),
      await office.call('PATCH', '/v1/link/reset', office.eve, { accessKey: link.key, accessCode }),
    ]
    for (const reply of replies) expect([reply.statusCode, reply.json().code]).toEqual([409, 'link.company_archived'])
    expect((await office.call('POST', `/v1/link/${link.key}/preview`, office.eve)).json().code).toBe('link.expired')
    expect((await office.call('DELETE', `/v1/link/${link.key}`, office.eve)).statusCode).toBe(204)
  })
})

describe('staff with access to an archived company', () => {
  it('can list, read and download', async () => {
    await using office = await openFirm()
    await office.archive()
    for (const who of [office.eve, office.admin]) {
      const archived = expect.objectContaining({ archived: true })
      expect(await office.data('GET', `/v1/directory?company=${office.acme}`, who)).toEqual([archived, archived])
      expect(await office.data('GET', `/v1/file?company=${office.acme}`, who)).toEqual([archived, archived, archived])
      expect((await office.call('GET', `/v1/file/${office.first}`, who)).body).toBe('first.txt')
      expect(await office.statusOf(who, `/v1/directory/${office.plans}/zip`)).toBe(200)
      expect((await office.data('GET', `/v1/company/${office.acme}`, who)).archived_at).not.toBeNull()
      const clash = { directory: office.plans, names: ['first.txt'] }
      expect((await office.call('POST', '/v1/file/clash', who, clash)).statusCode).toBe(200)
    }
  })

  it('can’t add anything to it', async () => {
    await using office = await openFirm()
    const { acme: company, plans: directory } = office
    const reserved = await office.data('POST', '/v1/link/initialise', office.eve, { company, directory })
    await office.archive()
    const user = { name: 'Lou', email: 'lou@acme.example', company, role: 'NEPTUNE_USER', password: 'analytical engine' }
    const link = { ...reserved, expiry: office.inDays(30) }
    const metadata = `filename ${btoa('a.txt')},directory ${btoa(directory)}`
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': metadata }
    const replies = await Promise.all([
      office.call('POST', '/v1/directory', office.eve, { directory: 'New', client: company }),
      office.call('POST', '/v1/admin/user', office.admin, user),
      office.put(directory, 'new.txt', office.eve),
      office.put(directory, 'new.txt', office.admin),
      office.call('POST', '/v1/upload', { ...office.eve, ...tus }),
      office.call('POST', '/v1/link/initialise', office.eve, { company, directory }),
      office.call('POST', '/v1/link', office.eve, { linkType: 'LINK_DIRECTORY', directory, ...link }),
      office.call('POST', '/v1/link', office.eve, { linkType: 'LINK_FILE', file: office.first, ...link }),
    ])
    for (const reply of replies) expect([reply.statusCode, reply.json().code]).toEqual([409, 'company.archived'])
    await office.restore()
    expect(
      (await office.call('POST', '/v1/link', office.eve, { linkType: 'LINK_DIRECTORY', directory, ...link })).statusCode,
    ).toBe(200)
    expect((await office.call('POST', '/v1/admin/user', office.admin, user)).statusCode).toBe(200)
    expect((await office.put(directory, 'new.txt', office.kim)).statusCode).toBe(200)
  })

  it('get no webhook deliveries about it until it is restored', async () => {
    await using office = await openFirm()
    const hook = { company: office.acme, url: 'https://hooks.example', events: ['upload', 'download'] }
    const { id } = await office.data('POST', '/v1/webhook', office.eve, hook)
    const read = async () => (await office.data('GET', '/v1/webhook', office.admin))[0]
    const countDeliveries = async () => (await office.data('GET', `/v1/webhook/${id}/delivery`, office.admin)).length
    expect(await read()).toMatchObject({ paused: false, problem: null })
    await office.archive()
    expect(await read()).toMatchObject({ paused: true, problem: 'This company is archived.' })
    await office.call('GET', `/v1/file/${office.first}`, office.eve)
    expect((await office.call('POST', `/v1/webhook/${id}/test`, office.eve)).json().code).toBe('webhook.paused')
    expect(await countDeliveries()).toBe(0)
    await office.restore()
    expect(await read()).toMatchObject({ paused: false, problem: null })
    await office.put(office.plans, 'new.txt', office.kim)
    expect(await countDeliveries()).toBe(1)
  })
})
