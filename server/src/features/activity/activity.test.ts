import { api } from '@neptune/contract'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { bearer } from '../../testing.ts'
import { pruneTrail, tellCheckpoint, verifyTrail } from '../audit/trail.service.ts'
import { day, openOffice } from '../link/testing.ts'

type Office = Awaited<ReturnType<typeof openOffice>>

interface Row {
  id: number
  action: string
  outcome: string
  name: string | null
  person: string | null
  client: string | null
  note: string | null
  times: number
  bytes: number | null
}

const listed = async (office: Office, query = '', who = office.admin): Promise<Row[]> =>
  (await office.call('GET', `/v1/activity${query}`, who)).json().data

/** What happens while `deed` is done, the oldest first. */
async function told(office: Office, deed: () => Promise<unknown>): Promise<Row[]> {
  const [last] = await listed(office, '?limit=1')
  await deed()
  return (await listed(office, '?limit=200')).filter(({ id }) => id > (last?.id ?? 0)).toReversed()
}

const actionsOf = (rows: Row[]) => rows.map(({ action }) => action)

describe('the trail', () => {
  it('tells of a day at the office, who did what to what', async () => {
    await using office = await openOffice()
    const { call, kim, plans } = office
    const rows = await told(office, async () => {
      const { id } = await office.data('POST', '/v1/directory', kim, { directory: 'Bids', client: await office.companyOf(kim) })
      await call('PATCH', `/v1/directory/${id}`, kim, { directory: 'Offers' })
      await call('DELETE', `/v1/directory/${id}`, kim)
      await call('POST', `/v1/directory/${id}/restore`, kim)
      await office.put(plans, 'first.txt', kim, 'newer', '?conflict=replace')
      const link = await office.share('LINK_EDITABLE_DIRECTORY')
      await call('POST', `/v1/link/${link.key}/code`, kim)
      await office.verify(link.key, '0000-0000-0000')
      const rob = await office.enter(link)
      await office.put(plans, 'brought.txt', rob)
      await call('DELETE', `/v1/link/${link.key}`, kim)
      await call('POST', '/v1/admin/company', kim, { name: 'Mine' })
      await call('DELETE', '/v1/identity', kim)
    })
    const deeds = (outcome: string) =>
      rows.filter((row) => row.outcome === outcome).map(({ action, name, person }) => [action, name, person])
    expect(deeds('done')).toEqual([
      ['directory.created', 'Bids', 'Kim Doe'],
      ['directory.renamed', 'Offers', 'Kim Doe'],
      ['directory.deleted', 'Offers', 'Kim Doe'],
      ['directory.restored', 'Offers', 'Kim Doe'],
      ['file.deleted', 'first.txt', 'Kim Doe'],
      ['file.uploaded', 'first.txt', 'Kim Doe'],
      ['link.created', 'Plans', 'Kim Doe'],
      ['link.code_shown', 'Plans', 'Kim Doe'],
      ['link.opened', 'Plans', null],
      ['file.uploaded', 'brought.txt', null],
      ['link.deleted', 'Plans', 'Kim Doe'],
      ['session.ended', null, 'Kim Doe'],
    ])
    expect(deeds('refused')).toEqual([
      ['link.refused', 'Plans', null],
      ['access.refused', 'POST /v1/admin/company', 'Kim Doe'],
    ])
    expect((await verifyTrail(office.deps)).problems).toEqual([])
  })

  it('has a row for a change exactly when the change was made', async () => {
    await using office = await openOffice()
    const client = await office.companyOf(office.kim)
    const rows = await told(office, () => office.call('POST', '/v1/directory', office.kim, { directory: 'Plans', client }))
    expect(rows).toEqual([])
  })

  it('holds sign-ins and refusals, and no address that is nobody’s: some people type their password there', async () => {
    await using office = await openOffice()
    const rows = await told(office, async () => {
      await office.signIn('kim@acme.example')
      await office.signIn('kim@acme.example', 'a wrong password')
      await office.signIn('hunter2@my-password.example')
      for (let i = 0; i < 11; i++) await office.signIn('eve@globex.example', 'wrong again and again')
    })
    expect(actionsOf(rows)).toEqual(['session.started', ...Array(12).fill('session.refused'), 'session.throttled'])
    expect(rows[1]).toMatchObject({ outcome: 'refused', name: 'kim@acme.example', client: '127.0.0.1' })
    expect(JSON.stringify(rows)).not.toContain('my-password')
  })

  it('tells what was taken, how much of it, and by whom', async () => {
    await using office = await openOffice()
    const { plans, first, kim } = office
    const link = await office.share()
    const rows = await told(office, async () => {
      await office.call('GET', `/v1/file/${first}`, kim)
      await office.app.inject({ url: `/v1/file/${first}`, headers: { ...kim, range: 'bytes=0-3' } })
      const rob = await office.enter(link)
      const { url } = await office.data('POST', `/v1/directory/${plans}/ticket`, rob)
      await office.app.inject({ url })
    })
    expect(rows.map(({ action, person, name, bytes, note }) => ({ action, person, name, bytes, note }))).toEqual([
      { action: 'link.opened', person: null, name: 'Plans', bytes: null, note: null },
      { action: 'file.downloaded', person: 'Kim Doe', name: 'first.txt', bytes: 9, note: null },
      { action: 'file.downloaded', person: 'Kim Doe', name: 'first.txt', bytes: 4, note: 'in part' },
      { action: 'directory.downloaded', person: null, name: 'Plans', bytes: expect.any(Number), note: null },
    ])
    const [byLink, byFile] = [await listed(office, `?link=${link.key}`), await listed(office, `?file=${first}`)]
    expect(actionsOf(byLink)).toEqual(['directory.downloaded', 'link.opened', 'link.created'])
    expect(actionsOf(byFile)).toEqual(['directory.downloaded', 'file.downloaded', 'file.downloaded', 'file.uploaded'])
  })

  it('cannot be flooded: of a kind twenty a minute are a row each, the others are counted', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const tell = async () => {
      for (let i = 0; i < 50; i++) await office.call('POST', '/v1/admin/company', office.kim, { name: 'Mine' })
    }
    expect((await told(office, tell)).map(({ times }) => times)).toEqual([...Array(20).fill(1), 30])
    const open = async () => {
      for (let i = 0; i < 50; i++) await office.enter(link)
    }
    const opened = await told(office, open)
    expect(opened.map(({ action, times }) => [action, times])).toEqual([
      ...Array(20).fill(['link.opened', 1]),
      ['link.opened', 30],
    ])
  })

  it('cannot be flooded by a stranger of many addresses, and blames none of them for the others', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const guess = async () => {
      for (let i = 0; i < 400; i++) await office.verify(key, '0000-0000-0000', `203.0.${i >> 8}.${i & 255}`)
    }
    const rows = await told(office, guess)
    // The page holds two hundred of the three hundred that are rows.
    expect(rows).toHaveLength(200)
    expect(rows.at(-1)).toMatchObject({ action: 'link.refused', times: 100, client: 'several', name: 'Plans' })
  })

  it('says from where something was taken, not where its taker came in; and who looked as a recipient would', async () => {
    await using office = await openOffice()
    const { first, kim } = office
    const link = await office.share()
    const rob = await office.enter(link)
    const { token } = await office.data('POST', `/v1/link/${link.key}/preview`, kim)
    const rows = await told(office, async () => {
      const { url } = await office.data('POST', `/v1/file/${first}/ticket`, kim)
      await office.app.inject({ url, remoteAddress: '203.0.113.77' })
      await office.app.inject({ url: `/v1/file/${first}`, headers: rob, remoteAddress: '203.0.113.78' })
      await office.app.inject({ url: `/v1/file/${first}`, headers: bearer(token) })
    })
    expect(rows.map(({ client, person }) => [client, person])).toEqual([
      ['203.0.113.77', 'Kim Doe'],
      ['203.0.113.78', null],
      ['127.0.0.1', 'Kim Doe'],
    ])
  })

  it('never holds a code, a token or a password', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const token = (await office.verify(link.key, link.code)).json().data.token
    await office.put(office.plans, 'x.txt', bearer(token))
    await office.call('POST', '/v1/link/email', office.kim, { key: link.key, accessCode: '', targetEmail: 'rob@client.example' })
    const rows = JSON.stringify(await office.deps.db.selectFrom('audit').selectAll().execute())
    for (const secret of [link.code, link.code.replaceAll('-', ''), token, office.kim['authorization']?.slice(7) ?? ''])
      expect(rows).not.toContain(secret)
  })
})

/** Changes the trail as somebody would who has the database and not the key. */
const tamper = (office: Office, change: RawBuilder<unknown>) => change.execute(office.deps.db)

const columns = ['at', 'action', 'outcome', 'who', 'person_id', 'person', 'client', 'company_id', 'name', 'link_key']
const more = ['directory_id', 'file_id', 'size', 'bytes', 'times', 'note', 'mac']

describe('somebody who has the database', () => {
  it('and changes anything of a row is found out', async () => {
    await using office = await openOffice()
    const row = await office.deps.db.selectFrom('audit').selectAll().where('seq', '=', 5).executeTakeFirstOrThrow()
    for (const column of [...columns, ...more]) {
      const isNumber = ['size', 'bytes', 'times'].includes(column)
      const value = isNumber ? sql`coalesce(${sql.ref(column)}, 0) + 1` : sql`coalesce(${sql.ref(column)}, '') || 'x'`
      await tamper(office, sql`update audit set ${sql.ref(column)} = ${value} where seq = 5`)
      const { problems } = await verifyTrail(office.deps)
      expect(problems, column).toMatchObject([{ seq: 5, what: 'altered', text: expect.stringContaining('Row 5') }])
      await office.deps.db.updateTable('audit').set(row).where('seq', '=', 5).execute()
    }
    expect((await verifyTrail(office.deps)).problems).toEqual([])
  })

  it.each([
    ['the first row', 1],
    ['a row in the middle', 5],
  ])('and removes %s is found out', async (_, seq) => {
    await using office = await openOffice()
    await tamper(office, sql`delete from audit where seq = ${seq}`)
    expect((await verifyTrail(office.deps)).problems).toEqual([
      { seq, what: 'missing', text: `Row ${seq} is missing: it was removed.` },
    ])
  })

  it('and removes the last rows is found out; by the log also if they hide it well', async () => {
    await using office = await openOffice()
    await tellCheckpoint(office.deps)
    const { checkpoint } = JSON.parse(office.logLines.findLast((line) => line.includes('audit checkpoint')) ?? '{}')
    const last = checkpoint.seq
    await tamper(office, sql`delete from audit where seq > ${last - 2}`)
    expect((await verifyTrail(office.deps)).problems[0]).toMatchObject({ seq: last - 1, what: 'missing' })
    await tamper(office, sql`update audit_head set seq = ${last - 2}, mac = (select mac from audit where seq = ${last - 2})`)
    expect((await verifyTrail(office.deps)).problems).toEqual([])
    const { problems } = await verifyTrail(office.deps, { checkpoints: [checkpoint] })
    expect(problems[0]).toMatchObject({ seq: last - 1, what: 'missing' })
  })

  it('and lets the trail grow to the same length again is found out by the log', async () => {
    await using office = await openOffice()
    const checkpointNow = async () => {
      await tellCheckpoint(office.deps)
      return JSON.parse(office.logLines.findLast((line) => line.includes('audit checkpoint')) ?? '{}').checkpoint
    }
    const before = await checkpointNow()
    await tamper(office, sql`delete from audit where seq > ${before.seq - 2}`)
    const cut = before.seq - 2
    await tamper(office, sql`update audit_head set seq = ${cut}, mac = (select mac from audit where seq = ${cut})`)
    for (let i = 0; i < 2; i++) await office.share()
    const after = await checkpointNow()
    expect(after.seq).toBe(before.seq)
    const { problems } = await verifyTrail(office.deps, { checkpoints: [before, after] })
    expect(problems[0]).toMatchObject({ seq: before.seq, what: 'altered' })
  })

  it('and puts rows in before the beginning, sets back the end, or makes a row unreadable is found out', async () => {
    await using office = await openOffice()
    const { to } = await verifyTrail(office.deps)
    const copy = sql`
      insert into audit select -5, at, action, outcome, who, person_id, person, client, company_id, name, link_key,
        directory_id, file_id, size, bytes, times, note, mac from audit where seq = 3`
    await tamper(office, copy)
    expect((await verifyTrail(office.deps)).problems).toMatchObject([{ seq: -5, what: 'inserted' }])
    await tamper(office, sql`delete from audit where seq = -5`)
    await tamper(office, sql`update audit_head set seq = 5, mac = (select mac from audit where seq = 5)`)
    expect((await verifyTrail(office.deps)).problems).toMatchObject([{ seq: 5, what: 'altered' }])
    await tamper(office, sql`update audit_head set seq = ${to}, mac = (select mac from audit where seq = ${to})`)
    await tamper(office, sql`update audit set size = 9223372036854775807 where seq = 4`)
    expect((await verifyTrail(office.deps)).problems).toMatchObject([{ seq: 4, what: 'altered' }])
  })

  it('and puts a row in, at the end or renumbered into the middle, is found out', async () => {
    await using office = await openOffice()
    const { to } = await verifyTrail(office.deps)
    const copy = (seq: number) => sql`
      insert into audit select ${sql.lit(seq)}, at, action, outcome, who, person_id, person, client, company_id, name, link_key,
        directory_id, file_id, size, bytes, times, note, mac from audit where seq = 3`
    await tamper(office, copy(to + 1))
    expect((await verifyTrail(office.deps)).problems[0]).toMatchObject({ seq: to + 1, what: 'inserted' })
    await tamper(office, sql`delete from audit where seq in (5, ${to + 1})`)
    await tamper(office, copy(5))
    expect((await verifyTrail(office.deps)).problems[0]).toMatchObject({ seq: 5, what: 'altered' })
  })
})

describe('a trail that is kept for a time', () => {
  it('loses its oldest rows and still verifies, from a checkpoint that cannot be forged', async () => {
    await using office = await openOffice({ ACTIVITY_DAYS: '30' })
    const { to } = await verifyTrail(office.deps)
    office.advance(40 * day)
    await office.share()
    await pruneTrail(office.deps)
    const rows = await listed(office)
    expect(actionsOf(rows)).toEqual(['activity.pruned', 'link.created'])
    expect(rows[0]?.note).toBe(`rows 1 to ${to}`)
    expect(await verifyTrail(office.deps)).toMatchObject({ problems: [], from: to + 1, rows: 2 })
    await tamper(office, sql`update audit_checkpoint set seq = seq - 1`)
    expect((await verifyTrail(office.deps)).problems[0]).toMatchObject({ what: 'checkpoint' })
  })

  it('keeps what was tampered with, and says so in the log', async () => {
    await using office = await openOffice({ ACTIVITY_DAYS: '30' })
    await tamper(office, sql`update audit set name = 'harmless' where seq = 4`)
    office.advance(40 * day)
    await pruneTrail(office.deps)
    expect((await verifyTrail(office.deps)).problems[0]).toMatchObject({ seq: 4 })
    expect(office.logLines.at(-1)).toContain('tampered')
  })
})

describe('what happened', () => {
  it('is shown to admins in full and to users as far as it is their company’s', async () => {
    await using office = await openOffice()
    const all = await listed(office, '?limit=200')
    const own = await listed(office, '?limit=200', office.eve)
    expect(all.length).toBeGreaterThan(own.length)
    expect(new Set(own.map(({ name }) => name))).toEqual(new Set(['eve@globex.example', 'Foreign', 'foreign.txt']))
    const acme = await office.companyOf(office.kim)
    await office.call('PATCH', `/v1/admin/company/${acme}`, office.admin, { name: 'Acme AG' })
    expect(await listed(office, '?limit=1', office.kim)).toMatchObject([
      { action: 'company.renamed', person: 'An administrator', client: null },
    ])
    expect(await listed(office, '?limit=1')).toMatchObject([{ person: 'Kim Doe', client: '127.0.0.1' }])
    expect(await listed(office, `?company=${acme}`, office.eve)).toEqual([])
    expect(await listed(office, `?file=${office.first}`, office.eve)).toEqual([])
    expect(await listed(office, `?person=${office.kimId}`, office.eve)).toEqual([])
  })

  it('comes in pages and by person, action and time', async () => {
    await using office = await openOffice()
    const all = await listed(office, '?limit=200')
    const inPages = async (query: string) => {
      const pages: Row[] = []
      for (let cursor = ''; ; ) {
        const page = (await office.call('GET', `/v1/activity?limit=4${query}${cursor}`, office.admin)).json()
        pages.push(...page.data)
        if (page.next === null) return pages
        cursor = `&cursor=${page.next}`
      }
    }
    expect(await inPages('')).toEqual(all)
    for (const sort of ['id', '-id']) {
      const span = `&from=2020-01-01T00:00:00Z&sort=${sort}`
      expect(await inPages(span)).toEqual(await listed(office, `?limit=200${span}`))
    }
    const byKim = await listed(office, `?person=${office.kimId}&action=directory.created`)
    expect(byKim.map(({ name }) => name)).toEqual(['Other', 'Plans'])
    const noon = new Date(office.deps.now().getTime() + 1000).toISOString()
    office.advance(5000)
    await office.share()
    expect(actionsOf(await listed(office, `?from=${noon}`))).toEqual(['link.created'])
    expect((await listed(office, `?to=${noon}&limit=200`)).length).toBe(all.length)
    for (const wrong of ['?cursor=x', '?action=nothing', '?from=yesterday', '?unknown=1'])
      expect((await office.call('GET', `/v1/activity${wrong}`, office.admin)).statusCode, wrong).toBe(400)
  })

  it('can be had as CSV, which no spreadsheet takes for a formula, while the session lasts', async () => {
    await using office = await openOffice()
    await office.put(office.plans, '=cmd|calc, "x".txt', office.kim)
    const { url } = await office.data('POST', api.activity.export.path, office.kim, { action: 'file.uploaded' })
    const reply = await office.app.inject({ url })
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('activity-2026-12-01.csv'),
    })
    const lines = reply.body.split('\r\n')
    expect(lines[0]).toBe('\uFEFFid,at,action,outcome,who,person,client,company,name,link,directory,file,size,bytes,times,note')
    expect(lines.filter((line) => line.includes('file.uploaded'))).toHaveLength(4)
    expect(reply.body).toContain(`"'=cmd|calc, ""x"".txt"`)
    expect(reply.body).not.toContain('globex')
    expect(actionsOf(await listed(office, '?limit=1'))).toEqual(['activity.exported'])
    await office.call('DELETE', '/v1/identity', office.kim)
    expect((await office.app.inject({ url })).statusCode).toBe(404)
  })
})
