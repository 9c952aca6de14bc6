import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

const newPassword = 'another long password'
const hour = 60 * 60_000

/** Starts a server, with a mail server or without one, and returns calls about Kim's password. */
async function openResetOffice({ hasMailServer = false } = {}) {
  const office = await openOffice({ PUBLIC_URL: 'https://files.acme.example' })
  if (hasMailServer) office.pretendMailServer()
  const adminId: string = (await office.data('GET', '/v1/identity', office.admin)).id
  const create = (id = office.kimId, who = office.admin) => office.call('POST', `/v1/admin/user/${id}/reset`, who)
  const reset = (token: string) => office.call('POST', '/v1/identity/reset', {}, { token, password: newPassword })
  const readEntry = async () => (await office.data('GET', '/v1/activity?action=password.link_created', office.admin))[0]
  return { ...office, adminId, create, reset, readEntry }
}

const tokenIn = (text = '') => /https:\/\/files\.acme\.example\/reset\/([\w-]{44})$/m.exec(text)?.[1] ?? ''

describe('a link to choose a new password, created by an admin', () => {
  it('is returned if no mail server is set up, and works once', async () => {
    await using office = await openResetOffice()
    const { data } = (await office.create()).json()
    expect(data.ends_at).toBe(new Date(office.deps.now().getTime() + hour).toISOString())
    const token = tokenIn(data.url)
    expect((await office.signIn('kim@acme.example')).statusCode).toBe(200) // the old password works until then
    expect((await office.reset(token)).statusCode).toBe(204)
    expect((await office.reset(token)).json().code).toBe('reset.not_found')
    expect((await office.call('GET', '/v1/identity', office.kim)).statusCode).toBe(401)
    expect((await office.signIn('kim@acme.example', newPassword)).statusCode).toBe(200)
    expect(await office.readEntry()).toMatchObject({ person_id: office.adminId, name: 'kim@acme.example', note: 'link shown' })
  })

  it('is emailed instead of returned if a mail server is set up, and the email names the admin', async () => {
    await using office = await openResetOffice({ hasMailServer: true })
    expect((await office.create()).json().data).toEqual({ ends_at: expect.any(String) })
    await office.deliver()
    const [email] = office.sentEmails
    expect(email).toMatchObject({ to: 'kim@acme.example', subject: 'Choose a new password' })
    expect(email?.text).toContain('Kim Doe sent you this link to choose a new password')
    expect((await office.reset(tokenIn(email?.text))).statusCode).toBe(204)
    expect(await office.readEntry()).toMatchObject({ note: 'to kim@acme.example' })
  })

  it('expires after an hour, and stops working with a new email address', async () => {
    await using office = await openResetOffice()
    const [expired, moved] = [tokenIn((await office.create()).json().data.url), tokenIn((await office.create()).json().data.url)]
    await office.call('PATCH', `/v1/admin/user/${office.kimId}`, office.admin, { email: 'kim2@acme.example' })
    expect((await office.reset(moved)).json().code).toBe('reset.not_found')
    office.advance(hour)
    expect((await office.reset(expired)).json().code).toBe('reset.not_found')
  })

  it('is refused for oneself, and for people who can’t sign in', async () => {
    await using office = await openResetOffice()
    const expectCode = async (id: string, code: string) => {
      const reply = await office.create(id)
      expect([reply.statusCode, reply.json().code]).toEqual([code === 'user.not_found' ? 404 : 409, code])
    }
    await expectCode(office.adminId, 'user.own_role')
    await expectCode('absent', 'user.not_found')
    const company = await office.companyOf(office.kim)
    const invited = { name: 'Ada', email: 'ada@acme.example', company, role: 'NEPTUNE_USER', invite: true }
    await expectCode((await office.data('POST', '/v1/admin/user', office.admin, invited)).id, 'user.invited')
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    await expectCode(office.kimId, 'user.suspended')
    await office.call('POST', `/v1/admin/company/${company}/archive`, office.admin)
    await expectCode(office.kimId, 'company.archived')
    expect(await office.deps.db.selectFrom('password_reset').select('id').execute()).toEqual([])
    expect((await office.create(office.kimId, office.eve)).statusCode).toBe(403)
  })

  it('is refused with 429 after five others', async () => {
    await using office = await openResetOffice()
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1) statuses.push((await office.create()).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

it('reports to anyone whether emails are sent or saved as files', async () => {
  await using office = await openOffice()
  const read = async () => (await office.call('GET', '/v1/mail/way')).json()
  expect(await read()).toEqual({ data: { way: 'files' } })
  office.pretendMailServer()
  expect(await read()).toEqual({ data: { way: 'smtp' } })
})
