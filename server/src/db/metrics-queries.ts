import type { MailState } from '@neptune/contract'
import type { Db } from './database.ts'

/** Returns the values of those metrics that are cheap to query. */
export async function queryMetrics(db: Db): Promise<{ mails: Partial<Record<MailState, number>>; lastAuditSeq: number }> {
  const states = await db
    .selectFrom('outbox')
    .select((eb) => ['state', eb.fn.countAll<number>().as('mails')])
    .groupBy('state')
    .execute()
  const head = await db.selectFrom('audit_head').select('seq').executeTakeFirst()
  return {
    mails: Object.fromEntries(states.map(({ state, mails }) => [state, Number(mails)])),
    lastAuditSeq: Number(head?.seq ?? 0),
  }
}
