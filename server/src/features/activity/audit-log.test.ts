import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { password, toBearerHeader } from '../../testing.ts'
import { pruneAuditLog, verifyAuditLog } from '../audit/verify-audit.service.ts'
import { dayMs, type Office, openOffice } from '../link/testing.ts'
import { actionsOf, collectEntriesDuring, fetchEntries } from './testing.ts'

/** Changes the audit log as someone could who has access to the database, but not the key. */
const tamper = (office: Office, change: RawBuilder<unknown>) => change.execute(office.deps.db)

describe('the audit log', () => {
  it('records who did what to which object', async () => {
    await using office = await openOffice()
    const { call, kim, plans } = office
    const rows = await collectEntriesDuring(office, async () => {
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
    const listActionsWith = (outcome: string) =>
      rows.filter((row) => row.outcome === outcome).map(({ action, name, person }) => [action, name, person])
    expect(listActionsWith('done')).toEqual([
      ['directory.created', 'Bids', 'Kim Doe'],
      ['directory.renamed', 'Offers', 'Kim Doe'],
      ['directory.deleted', 'Offers', 'Kim Doe'],
      ['directory.restored', 'Offers', 'Kim Doe'],
      ['file.replaced', 'first.txt', 'Kim Doe'],
      ['file.uploaded', 'first.txt', 'Kim Doe'],
      ['link.created', 'Plans', 'Kim Doe'],
      ['link.code_shown', 'Plans', 'Kim Doe'],
      ['link.opened', 'Plans', null],
      ['file.uploaded', 'brought.txt', null],
      ['link.deleted', 'Plans', 'Kim Doe'],
      ['session.ended', null, 'Kim Doe'],
    ])
    expect(listActionsWith('refused')).toEqual([
      ['link.refused', 'Plans', null],
      ['access.refused', 'POST /v1/admin/company', 'Kim Doe'],
    ])
    expect((await verifyAuditLog(office.deps)).problems).toEqual([])
  })

  it('has no entry for a change that failed', async () => {
    await using office = await openOffice()
    const client = await office.companyOf(office.kim)
    const rows = await collectEntriesDuring(office, () =>
      office.call('POST', '/v1/directory', office.kim, { directory: 'Plans', client }),
    )
    expect(rows).toEqual([])
  })

  it('records sign-ins and refusals, but no unknown email address, which may be a password typed into the wrong field', async () => {
    await using office = await openOffice()
    const rows = await collectEntriesDuring(office, async () => {
      await office.signIn('kim@acme.example')
      await office.signIn('kim@acme.example', 'a wrong password')
      await office.signIn('hunter2@my-password.example')
      for (let i = 0; i < 11; i++) await office.signIn('eve@globex.example', 'wrong again and again')
    })
    expect(actionsOf(rows)).toEqual(['session.started', ...Array(12).fill('session.refused'), 'session.throttled'])
    expect(rows[1]).toMatchObject({ outcome: 'refused', name: 'kim@acme.example', client: '127.0.0.1' })
    expect(JSON.stringify(rows)).not.toContain('my-password')
  })

  it('records downloads with their bytes, and who made them', async () => {
    await using office = await openOffice()
    const { plans, first, kim } = office
    const link = await office.share()
    const rob = await office.enter(link)
    const rows = await collectEntriesDuring(office, async () => {
      await office.call('GET', `/v1/file/${first}`, kim)
      await office.app.inject({ url: `/v1/file/${first}`, headers: { ...kim, range: 'bytes=0-3' } })
      const { url } = await office.data('POST', `/v1/directory/${plans}/ticket`, rob)
      await office.app.inject({ url })
    })
    const hash = `SHA-256 ${createHash('sha256').update('first.txt').digest('hex')}`
    expect(rows.map(({ action, person, name, bytes, note }) => ({ action, person, name, bytes, note }))).toEqual([
      { action: 'file.downloaded', person: 'Kim Doe', name: 'first.txt', bytes: 9, note: hash },
      { action: 'file.downloaded', person: 'Kim Doe', name: 'first.txt', bytes: 4, note: `partly, ${hash}` },
      { action: 'directory.downloaded', person: null, name: 'Plans', bytes: expect.any(Number), note: null },
    ])
    const [byLink, byFile] = [await fetchEntries(office, `?link=${link.key}`), await fetchEntries(office, `?file=${first}`)]
    expect(actionsOf(byLink)).toEqual(['directory.downloaded', 'link.opened', 'link.created'])
    expect(actionsOf(byFile)).toEqual(['directory.downloaded', 'file.downloaded', 'file.downloaded', 'file.uploaded'])
  })

  it('gives a caller’s first twenty actions of a kind a row each, and counts the rest in one row', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const tryToCreate = async () => {
      for (let i = 0; i < 50; i++) await office.call('POST', '/v1/admin/company', office.kim, { name: 'Mine' })
    }
    expect((await collectEntriesDuring(office, tryToCreate)).map(({ times }) => times)).toEqual([...Array(20).fill(1), 30])
    const open = async () => {
      for (let i = 0; i < 50; i++) await office.enter(link)
    }
    const opened = await collectEntriesDuring(office, open)
    expect(opened.map(({ action, times }) => [action, times])).toEqual([
      ...Array(20).fill(['link.opened', 1]),
      ['link.opened', 30],
    ])
  })

  it('sums up attempts from many addresses, and names no address in a sum', async () => {
    await using office = await openOffice()
    const { key } = await office.share()
    const guess = async () => {
      for (let i = 0; i < 400; i++) await office.verify(key, '0000-0000-0000', `203.0.${i >> 8}.${i & 255}`)
    }
    const rows = await collectEntriesDuring(office, guess)
    // 300 attempts have a row each; the other 100 are in sums. The page has the newest 200 rows, which include the sums.
    expect(rows).toHaveLength(200)
    // There are several sums if the attempts take longer than the server collects entries for one.
    const sums = rows.filter(({ times }) => times > 1)
    expect(sums.reduce((total, { times }) => total + times, 0)).toBe(100)
    for (const sum of sums) expect(sum).toMatchObject({ action: 'link.refused', client: 'several', name: 'Plans' })
  })

  it('records the address of a download, not of the sign-in, and the name of staff who view as a recipient', async () => {
    await using office = await openOffice()
    const { first, kim } = office
    const link = await office.share()
    const rob = await office.enter(link)
    const { token } = await office.data('POST', `/v1/link/${link.key}/preview`, kim)
    const rows = await collectEntriesDuring(office, async () => {
      const { url } = await office.data('POST', `/v1/file/${first}/ticket`, kim)
      await office.app.inject({ url, remoteAddress: '203.0.113.77' })
      await office.app.inject({ url: `/v1/file/${first}`, headers: rob, remoteAddress: '203.0.113.78' })
      await office.app.inject({ url: `/v1/file/${first}`, headers: toBearerHeader(token) })
    })
    expect(rows.map(({ client, person }) => [client, person])).toEqual([
      ['203.0.113.77', 'Kim Doe'],
      ['203.0.113.78', null],
      ['127.0.0.1', 'Kim Doe'],
    ])
  })

  it('never contains a code, a token or a password', async () => {
    await using office = await openOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const token = (await office.verify(link.key, link.code)).json().data.token
    await office.put(office.plans, 'x.txt', toBearerHeader(token))
    await office.call('POST', '/v1/link/email', office.kim, { key: link.key, accessCode: '', targetEmail: 'rob@client.example' })
    await office.signIn('kim@acme.example')
    const rows = JSON.stringify(await office.deps.db.selectFrom('audit').selectAll().execute())
    for (const secret of [password, link.code, link.code.replaceAll('-', ''), token, office.kim['authorization']?.slice(7) ?? ''])
      expect(rows).not.toContain(secret)
  })
})

describe('pruning the audit log', () => {
  it('removes the oldest rows, verifies the rest from a checkpoint, and detects a changed checkpoint', async () => {
    await using office = await openOffice()
    const { to } = await verifyAuditLog(office.deps)
    office.advance(40 * dayMs)
    await office.share()
    await pruneAuditLog(office.deps, 30)
    const rows = await fetchEntries(office)
    expect(actionsOf(rows)).toEqual(['activity.pruned', 'link.created'])
    expect(rows[0]?.note).toBe(`rows 1 to ${to}`)
    expect(await verifyAuditLog(office.deps)).toMatchObject({ problems: [], from: to + 1, rows: 2 })
    await tamper(office, sql`update audit_checkpoint set seq = seq - 1`)
    expect((await verifyAuditLog(office.deps)).problems[0]).toMatchObject({ kind: 'checkpoint' })
  })

  it('removes nothing if rows were tampered with, and logs that', async () => {
    await using office = await openOffice()
    await tamper(office, sql`update audit set name = 'harmless' where seq = 4`)
    office.advance(40 * dayMs)
    await pruneAuditLog(office.deps, 30)
    expect((await verifyAuditLog(office.deps)).problems[0]).toMatchObject({ seq: 4 })
    expect(office.logLines.at(-1)).toContain('tampered')
  })
})
