import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { logCheckpoint, verifyAuditLog } from '../audit/verify-audit.service.ts'
import { type Office, openOffice } from '../link/testing.ts'

/** Changes the audit log as someone could who has access to the database, but not the key. */
const tamper = (office: Office, change: RawBuilder<unknown>) => change.execute(office.deps.db)
const columns = [
  'at',
  'action',
  'outcome',
  'who',
  'person_id',
  'person',
  'client',
  'company_id',
  'name',
  'link_key',
  'directory_id',
  'file_id',
  'size',
  'bytes',
  'times',
  'note',
  'mac',
]

describe('verifying a tampered audit log', () => {
  it('detects a change of any column', async () => {
    await using office = await openOffice()
    const row = await office.deps.db.selectFrom('audit').selectAll().where('seq', '=', 5).executeTakeFirstOrThrow()
    for (const column of columns) {
      const isNumber = ['size', 'bytes', 'times'].includes(column)
      const value = isNumber ? sql`coalesce(${sql.ref(column)}, 0) + 1` : sql`coalesce(${sql.ref(column)}, '') || 'x'`
      await tamper(office, sql`update audit set ${sql.ref(column)} = ${value} where seq = 5`)
      const { problems } = await verifyAuditLog(office.deps)
      expect(problems, column).toMatchObject([{ seq: 5, kind: 'altered', text: expect.stringContaining('Row 5') }])
      await office.deps.db.updateTable('audit').set(row).where('seq', '=', 5).execute()
    }
    expect((await verifyAuditLog(office.deps)).problems).toEqual([])
  })

  it.each([
    ['the first row', 1],
    ['a row in the middle', 5],
  ])('detects the removal of %s', async (_, seq) => {
    await using office = await openOffice()
    await tamper(office, sql`delete from audit where seq = ${seq}`)
    expect((await verifyAuditLog(office.deps)).problems).toEqual([{ seq, kind: 'missing', text: `Row ${seq} is missing.` }])
  })

  it('detects the removal of the last rows; if the head was adjusted as well, with a checkpoint from the server log', async () => {
    await using office = await openOffice()
    await logCheckpoint(office.deps)
    const { checkpoint } = JSON.parse(office.logLines.findLast((line) => line.includes('audit checkpoint')) ?? '{}')
    const last = checkpoint.seq
    await tamper(office, sql`delete from audit where seq > ${last - 2}`)
    expect((await verifyAuditLog(office.deps)).problems[0]).toMatchObject({ seq: last - 1, kind: 'missing' })
    await tamper(office, sql`update audit_head set seq = ${last - 2}, mac = (select mac from audit where seq = ${last - 2})`)
    expect((await verifyAuditLog(office.deps)).problems).toEqual([])
    const { problems } = await verifyAuditLog(office.deps, { checkpoints: [checkpoint] })
    expect(problems[0]).toMatchObject({ seq: last - 1, kind: 'missing' })
  })

  it('detects replaced rows with a checkpoint from the server log', async () => {
    await using office = await openOffice()
    const checkpointNow = async () => {
      await logCheckpoint(office.deps)
      return JSON.parse(office.logLines.findLast((line) => line.includes('audit checkpoint')) ?? '{}').checkpoint
    }
    const before = await checkpointNow()
    await tamper(office, sql`delete from audit where seq > ${before.seq - 2}`)
    const cut = before.seq - 2
    await tamper(office, sql`update audit_head set seq = ${cut}, mac = (select mac from audit where seq = ${cut})`)
    for (let i = 0; i < 2; i++) await office.share()
    const after = await checkpointNow()
    expect(after.seq).toBe(before.seq)
    const { problems } = await verifyAuditLog(office.deps, { checkpoints: [before, after] })
    expect(problems[0]).toMatchObject({ seq: before.seq, kind: 'altered' })
  })

  it('detects rows before the start, a head that was set back, and an unreadable row', async () => {
    await using office = await openOffice()
    const { to } = await verifyAuditLog(office.deps)
    const copy = sql`
      insert into audit select -5, at, action, outcome, who, person_id, person, client, company_id, name, link_key,
        directory_id, file_id, size, bytes, times, note, mac from audit where seq = 3`
    await tamper(office, copy)
    expect((await verifyAuditLog(office.deps)).problems).toMatchObject([{ seq: -5, kind: 'inserted' }])
    await tamper(office, sql`delete from audit where seq = -5`)
    await tamper(office, sql`update audit_head set seq = 5, mac = (select mac from audit where seq = 5)`)
    expect((await verifyAuditLog(office.deps)).problems).toMatchObject([{ seq: 5, kind: 'altered' }])
    await tamper(office, sql`update audit_head set seq = ${to}, mac = (select mac from audit where seq = ${to})`)
    await tamper(office, sql`update audit set size = 9223372036854775807 where seq = 4`)
    expect((await verifyAuditLog(office.deps)).problems).toMatchObject([{ seq: 4, kind: 'altered' }])
  })

  it('detects a row added at the end, and a row replaced by a copy of another', async () => {
    await using office = await openOffice()
    const { to } = await verifyAuditLog(office.deps)
    const copy = (seq: number) => sql`
      insert into audit select ${sql.lit(seq)}, at, action, outcome, who, person_id, person, client, company_id, name, link_key,
        directory_id, file_id, size, bytes, times, note, mac from audit where seq = 3`
    await tamper(office, copy(to + 1))
    expect((await verifyAuditLog(office.deps)).problems[0]).toMatchObject({ seq: to + 1, kind: 'inserted' })
    await tamper(office, sql`delete from audit where seq in (5, ${to + 1})`)
    await tamper(office, copy(5))
    expect((await verifyAuditLog(office.deps)).problems[0]).toMatchObject({ seq: 5, kind: 'altered' })
  })
})
