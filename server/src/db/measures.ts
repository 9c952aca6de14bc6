import type { MailState } from '@neptune/contract'
import type { Db } from './database.ts'

/** What is worth watching in the tables, and quick to ask. */
export async function findMeasures(db: Db): Promise<{ mails: Partial<Record<MailState, number>>; trail: number }> {
  const states = await db
    .selectFrom('outbox')
    .select((eb) => ['state', eb.fn.countAll<number>().as('mails')])
    .groupBy('state')
    .execute()
  const head = await db.selectFrom('audit_head').select('seq').executeTakeFirst()
  return { mails: Object.fromEntries(states.map(({ state, mails }) => [state, Number(mails)])), trail: Number(head?.seq ?? 0) }
}
