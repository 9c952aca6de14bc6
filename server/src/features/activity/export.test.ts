import { type IncomingMessage, request } from 'node:http'
import { api } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { insertEntries, setHead } from '../audit/audit.repo.ts'
import { verifyAuditLog } from '../audit/verify-audit.service.ts'
import { type Office, openOffice } from '../link/testing.ts'
import { actionsOf, fetchEntries } from './testing.ts'

/** Adds entries with names of `length` characters to the audit log. They are not chained. */
async function addEntries({ deps }: Office, count: number, length = 10) {
  const { seq = 0 } = (await deps.db.selectFrom('audit').select('seq').orderBy('seq', 'desc').executeTakeFirst()) ?? {}
  const none = {
    person_id: null,
    person: null,
    client: null,
    company_id: null,
    link_key: null,
    directory_id: null,
    file_id: null,
  }
  const row = { action: 'file.deleted', outcome: 'done', who: 'system', name: 'x'.repeat(length), times: 1, mac: 'x' } as const
  const rest = { ...none, size: null, bytes: null, note: null, at: deps.now().toISOString() }
  for (let i = 0; i < count; i += 500)
    await insertEntries(
      deps.db,
      Array.from({ length: Math.min(500, count - i) }, (_, n) => ({ ...row, ...rest, seq: Number(seq) + 1 + i + n })),
    )
  await setHead(deps.db, { seq: Number(seq) + count, mac: 'x' })
}

const createExportUrl = async (office: Office, filters = {}): Promise<string> =>
  (await office.data('POST', api.activity.export.path, office.admin, filters)).url

/** Counts the turns of the event loop during some work. The server can handle other requests in each of them. */
async function countTurnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

describe('an export', () => {
  it('yields to other requests between its pages, as does a verification', async () => {
    await using office = await openOffice()
    await addEntries(office, 3000)
    const url = await createExportUrl(office)
    let lines = 0
    const turns = await countTurnsDuring(async () => {
      lines = (await office.app.inject({ url })).body.split('\r\n').length
    })
    expect(lines).toBeGreaterThan(3000)
    expect(turns).toBeGreaterThanOrEqual(10)
    expect(await countTurnsDuring(() => verifyAuditLog(office.deps))).toBeGreaterThanOrEqual(6)
  })

  it('does not run for a HEAD request', async () => {
    await using office = await openOffice()
    await addEntries(office, 3000)
    const url = await createExportUrl(office)
    const before = actionsOf(await fetchEntries(office, '?limit=3'))
    const reply = await office.app.inject({ method: 'HEAD', url })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' })
    expect(actionsOf(await fetchEntries(office, '?limit=3'))).toEqual(before)
  })

  it('is refused while two others run, until a client disconnects', async () => {
    await using office = await openOffice()
    await addEntries(office, 1600, 8000) // more than the socket buffers hold for a client that does not read
    const [url, address] = [await createExportUrl(office), await office.listen()]
    const opened: IncomingMessage[] = []
    const open = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const call = request(address + url, { agent: false }, (reply) => {
          opened.push(reply)
          resolve(reply)
        })
        call.once('error', reject).end()
      })
    const first = await open()
    expect((await open()).statusCode).toBe(200)
    const refused = await open()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
    first.destroy()
    await expect.poll(async () => (await open()).statusCode).toBe(200)
    for (const reply of opened) reply.destroy()
  })

  it('gets a ticket that works with the longest possible filters', async () => {
    await using office = await openOffice()
    const longest = '\u{4e00}'.repeat(64)
    const ids = Object.fromEntries(['person', 'link', 'file', 'directory', 'company'].map((name) => [name, longest]))
    const from = `2026-01-31T00:00:00.${'1'.repeat(2000)}Z`
    const filters = { ...ids, action: 'session.ended_everywhere', outcome: 'refused', from, to: from }
    const reply = await office.app.inject({ url: await createExportUrl(office, filters) })
    expect(reply.statusCode).toBe(200)
    expect(reply.body.trim().split('\r\n')).toHaveLength(1)
  })
})
