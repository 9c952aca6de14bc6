import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

const minute = 60_000

describe('the activity of a link', () => {
  it('records visits, downloads with their bytes, and uploads, but neither page views nor wrong codes', async () => {
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
    // A download is recorded when it has ended, which may be a moment after its last byte.
    await expect.poll(() => readDownloadedBytes(office, link.key)).toBe(9)
    const events = await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)
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
})

describe('staff who view a link as a recipient', () => {
  it('are not recorded in its activity, and can’t upload', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const { token } = await office.data('POST', `/v1/link/${link.key}/preview`, office.kim)
    const viewer = { authorization: `Bearer ${token}` }
    expect(await office.data('GET', '/v1/access', viewer)).toMatchObject({ is_preview: true })
    expect((await office.call('GET', `/v1/file/${office.first}`, viewer)).body).toBe('first.txt')
    expect((await office.put(office.plans, 'new.txt', viewer)).statusCode).toBe(403)
    expect(await office.data('GET', `/v1/link/${link.key}/activity`, office.kim)).toEqual([])
  })

  it('lose access when they sign out or may no longer see the link', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const preview = async (who: Record<string, string>) => {
      const { token } = await office.data('POST', `/v1/link/${link.key}/preview`, who)
      return { authorization: `Bearer ${token}` }
    }
    const [signedOut, demoted] = [await preview(office.kim), await preview(office.admin)]
    const getStatus = async (who: Record<string, string>) => (await office.call('GET', '/v1/access', who)).statusCode
    expect([await getStatus(signedOut), await getStatus(demoted)]).toEqual([200, 200])
    await office.call('DELETE', '/v1/identity', office.kim)
    expect(await getStatus(signedOut)).toBe(401)
    await office.deps.db.updateTable('user').set({ role: 'NEPTUNE_USER' }).where('email', '=', 'admin@neptune.example').execute()
    expect(await getStatus(demoted)).toBe(401)
  })
})

describe('notices to the owner of a link', () => {
  it('go to the current owner, not the previous one', async () => {
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
    expect(office.sentEmails.map(({ to }) => to)).toEqual(['admin@neptune.example'])
    for (const name of ['one.txt', 'two.txt']) expect(office.sentEmails[0]?.text).toContain(name)
  })

  it('go to an admin who takes over the link before they are sent', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY', { tellDownload: true })
    const visitor = await office.enter(link)
    await office.put(office.plans, 'one.txt', visitor)
    await office.app.inject({ method: 'GET', url: `/v1/file/${office.first}`, headers: visitor })
    await office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: 'code' })
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    expect((await office.call('POST', `/v1/link/${link.key}/extend`, office.admin)).statusCode).toBe(200)
    office.advance(10 * minute)
    await office.deliver()
    expect(office.sentEmails.map(({ to, subject }) => [to, subject]).sort()).toEqual([
      ['admin@neptune.example', '1 new file in “Plans” (Acme GmbH)'],
      ['admin@neptune.example', 'First download from “Plans” (Acme GmbH)'],
      ['admin@neptune.example', 'Someone requested a new access code for “Plans” (Acme GmbH)'],
    ])
  })

  it('name the address the link was sent to, and the company only to owners who see several', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    await office.deps.db.updateTable('link').set({ email: 'rob@client.example' }).execute()
    const use = async (name: string) => {
      await office.put(office.plans, name, await office.enter(link))
      await office.call('POST', '/v1/ask', {}, { accessKey: link.key, wants: name === 'one.txt' ? 'time' : 'code' })
      office.advance(2 * 60 * minute)
      await office.deliver()
      return office.sentEmails.splice(0).map(({ text }) => text.replaceAll(/\s+/g, ' '))
    }
    const own = (await use('one.txt')).join('')
    expect(own).toContain('Someone who has the link that was sent to rob@client.example uploaded 1 file to “Plans”:')
    expect(own).toContain('Someone who has the link that was sent to rob@client.example requested more time for “Plans”.')
    expect(own).not.toContain('Acme GmbH')
    await office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, { access: 'all' })
    const several = (await use('two.txt')).join('')
    expect(several).toContain('rob@client.example uploaded 1 file to “Plans” (Acme GmbH):')
    expect(several).toContain('rob@client.example requested a new access code for “Plans” (Acme GmbH).')
  })

  it('announce uploads with one email per burst, and at most one an hour', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    await office.put(office.plans, 'one.txt', visitor)
    office.advance(2 * minute)
    for (let i = 2; i <= 12; i++) await office.put(office.plans, `${i}.txt`, visitor)
    await office.deliver()
    expect(office.sentEmails).toEqual([])
    office.advance(3 * minute)
    await office.deliver()
    expect(office.sentEmails.map(({ to, subject }) => [to, subject])).toEqual([['kim@acme.example', '12 new files in “Plans”']])
    expect(office.sentEmails[0]?.text).toContain('one.txt (7 B)')
    expect(office.sentEmails[0]?.text).toContain('and 2 more files')
    await office.put(office.plans, 'later.txt', visitor)
    office.advance(30 * minute)
    await office.deliver()
    expect(office.sentEmails).toHaveLength(1)
    office.advance(30 * minute)
    await office.deliver()
    expect(office.sentEmails[1]?.subject).toBe('1 new file in “Plans”')
    expect(office.sentEmails[1]?.text).toContain('later.txt')
  })

  it('list the uploaded file even if the clock advances meanwhile', async () => {
    await using office = await openOffice({ NOTICE_MINUTES: '0' })
    const visitor = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
    office.deps.now = () => {
      office.advance(1)
      return new Date(office.clock.now)
    }
    await office.put(office.plans, 'one.txt', visitor)
    await office.deliver()
    expect(office.sentEmails[0]?.text).toContain('one.txt')
  })

  it.each([
    ['requested', true],
    ['not requested', false],
  ])('announce the first download only on request: %s', async (_, tellDownload) => {
    await using office = await openOffice()
    const link = await office.share('LINK_FILE', { tellDownload })
    const visitor = await office.enter(link)
    const expectRecorded = (bytes: number) => expect.poll(() => readDownloadedBytes(office, link.key)).toBe(bytes)
    await office.call('GET', `/v1/file/${office.first}`, { ...visitor, range: 'bytes=0-0' })
    await expectRecorded(1)
    await office.call('GET', `/v1/file/${office.first}`, { ...visitor, range: 'bytes=1-' })
    await expectRecorded(9)
    await office.call('GET', `/v1/file/${office.first}`, visitor)
    await expectRecorded(18)
    await office.deliver()
    expect(office.sentEmails.map(({ subject }) => subject)).toEqual(tellDownload ? ['First download from “first.txt”'] : [])
  })
})

/** Returns the downloaded bytes in the activity of a link. */
async function readDownloadedBytes(office: Awaited<ReturnType<typeof openOffice>>, key: string): Promise<number | undefined> {
  const events: { kind: string; bytes: number }[] = await office.data('GET', `/v1/link/${key}/activity`, office.kim)
  return events.find(({ kind }) => kind === 'downloaded')?.bytes
}
