import { describe, expect, it } from 'vitest'
import { openOffice } from './testing.ts'

const refused = { validation: false, expired: false, access: null, token: null }

describe('a link', () => {
  it('P23: ends the old code and its visits when the code is reset', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const visitor = await office.enter(link)
    const { accessCode, key } = await office.data('POST', '/v1/link/initialise', office.kim, {
      type: 'RESET',
      accessKey: link.key,
    })
    expect(key).toBe(link.key)
    // The new code is reserved, but not in use yet.
    expect((await office.verify(link.key, link.code)).json().data.validation).toBe(true)
    expect((await office.verify(link.key, accessCode)).json().data.validation).toBe(false)
    const reset = (code: string, who = office.kim) =>
      office.call('PATCH', '/v1/link/reset', who, { accessKey: link.key, accessCode: code })
    expect((await reset(link.code)).statusCode).toBe(409)
    expect((await reset(accessCode, office.admin)).statusCode).toBe(409) // reserved by someone else
    expect((await reset(accessCode)).statusCode).toBe(200)
    const fresh = await office.enter({ key: link.key, code: accessCode })
    // A repeated request gets the same reply and ends no visit.
    expect((await reset(accessCode)).statusCode).toBe(200)
    expect((await office.call('GET', '/v1/access', fresh)).statusCode).toBe(200)
    expect((await reset(accessCode, office.admin)).statusCode).toBe(409)
    expect((await office.verify(link.key, link.code)).json().data).toEqual(refused)
    expect((await office.verify(link.key, accessCode)).json().data.validation).toBe(true)
    const reply = await office.call('GET', '/v1/access', visitor)
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'link.closed'])
    expect(await office.data('POST', `/v1/link/${link.key}/code`, office.kim)).toEqual({ accessCode })
  })

  it('P24: ends its visits when it is deleted; several links are deleted together or not at all', async () => {
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

  it('has one code after two concurrent resets, and only visits with this code stay open', async () => {
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

  it('takes the new name of its file when the file is restored under a different one', async () => {
    await using office = await openOffice()
    await office.share('LINK_FILE')
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    await office.addFile(office.plans, 'first.txt', office.kim)
    await office.call('POST', '/v1/file/restore', office.kim, { ids: [office.first] })
    expect((await office.data('GET', '/v1/link', office.kim))[0].name).toBe('first (1).txt')
  })

  it('keeps its owner when someone else extends it or resets its code, as long as the owner can act', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const reserve = async () => office.data('POST', '/v1/link/initialise', office.admin, { type: 'RESET', accessKey: key })
    const { accessCode } = await reserve()
    const reset = () => office.call('PATCH', '/v1/link/reset', office.admin, { accessKey: key, accessCode })
    expect((await reset()).json().data.maker_id).toBe(office.kimId)
    expect((await reset()).statusCode).toBe(200) // repeated
    expect((await office.call('POST', `/v1/link/${key}/extend`, office.admin)).json().data.maker_id).toBe(office.kimId)
    await office.call('POST', '/v1/ask', {}, { accessKey: key, wants: 'time' })
    const [ask] = await office.data('GET', '/v1/ask', office.admin)
    expect(ask.owner_can_act).toBe(true)
    expect((await office.data('POST', `/v1/ask/${ask.id}`, office.admin, { grant: true })).link.maker_id).toBe(office.kimId)
    expect(await office.data('GET', '/v1/activity?action=link.handed_over', office.admin)).toEqual([])
  })

  it('is paused while its owner is suspended, until someone else resets its code', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const visitor = await office.enter(link)
    await office.call('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    expect((await office.call('GET', '/v1/access', visitor)).statusCode).toBe(401)
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ paused: true, token: null })
    expect(await office.data('GET', '/v1/link?state=owner_suspended', office.admin)).toMatchObject([{ key: link.key }])
    const { accessCode } = await office.data('POST', '/v1/link/initialise', office.admin, { type: 'RESET', accessKey: link.key })
    const reset = await office.call('PATCH', '/v1/link/reset', office.admin, { accessKey: link.key, accessCode })
    expect((await office.verify(link.key, accessCode)).json().data.token).not.toBeNull()
    // The admin is its owner now, which the activity shows. All users of the test server are called Kim Doe.
    expect(reset.json().data.maker_id).not.toBe(office.kimId)
    const events = await office.data('GET', `/v1/link/${link.key}/activity`, office.admin)
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(['reset', 'handed_over']))
    expect(await office.data('GET', '/v1/activity?action=link.handed_over', office.admin)).toMatchObject([
      { link: link.key, note: 'Kim Doe → Kim Doe' },
    ])
  })
})
