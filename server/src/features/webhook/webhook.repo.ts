import { type Insertable, sql, type Updateable } from 'kysely'
import { type Db, lockName } from '../../db/database.ts'
import { type PageRequest, type Rows, readPage } from '../../db/paging.ts'
import { prepared } from '../../db/prepared.ts'
import type { Schema } from '../../db/schema.ts'

export type WebhookRecord = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

/** `within` is the one company the caller may see; admins have none, and see all. */
export const findWebhook = (db: Db, id: string, within: string | undefined) =>
  webhooks(db, within).where('webhook.id', '=', id).executeTakeFirst()

export const listWebhooks = (db: Db, request: PageRequest & { company: string }, within: string | undefined) =>
  readPage(
    db,
    {
      table: 'webhook',
      columns: { created_at: 'webhook.created_at' },
      id: 'webhook.id',
      within: (rows) => {
        const own = within === undefined ? rows : rows.where('webhook.company_id', '=', within)
        return request.company === '' ? own : own.where('webhook.company_id', '=', request.company)
      },
      show: withMaker,
      isFiltered: false,
    },
    request,
  )

/** Whether whoever answers for it may still see what it is told: a webhook does not outlive that right, as a link does not. */
const mayTell = sql<boolean>`("maker"."suspended_at" is null and ("maker"."role" = 'NEPTUNE_ADMIN' or "maker"."company_id" = "webhook"."company_id"))`

const listeners = prepared((db, { company }: { company: string }) =>
  db
    .selectFrom('webhook')
    .innerJoin('user as maker', 'maker.id', 'webhook.maker_id')
    .select(['webhook.id', 'webhook.events'])
    .where('webhook.company_id', '=', company)
    .where('webhook.paused_at', 'is', null)
    .where(mayTell),
)

/** Those of a company that are told anything at all. */
export const listSubscribers = async (db: Db, company: string) => (await listeners(db, { company })).rows

/** Makes those who make webhooks for one company wait for each other, so that many at once are not more than it may have. */
export const lockWebhooks = (trx: Db, company: string) => lockName(trx, `webhook ${company}`)

export async function countWebhooks(db: Db, company: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhook')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertWebhook = (db: Db, row: Insertable<Schema['webhook']>) => db.insertInto('webhook').values(row).execute()

/** False when it is gone. */
export async function updateWebhook(db: Db, id: string, change: Updateable<Schema['webhook']>): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('webhook').set(change).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when it is paused already, or gone. */
export async function pauseWebhook(db: Db, id: string, paused_at: string, problem: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook')
    .set({ paused_at, problem })
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** One more in a row. Says how many they are, and since when. */
export const countFailure = (db: Db, id: string, now: string) =>
  db
    .updateTable('webhook')
    .set((eb) => ({ failures: eb('failures', '+', 1), failing_since: eb.fn.coalesce('failing_since', eb.val(now)) }))
    .where('id', '=', id)
    .returning(['failures', 'failing_since'])
    .executeTakeFirst()

export const resetFailures = (db: Db, id: string) => updateWebhook(db, id, { failures: 0, failing_since: null })

/** Returns false if it is gone already. Its remaining deliveries are not sent. */
export async function deleteWebhook(trx: Db, id: string): Promise<boolean> {
  return (await trx.deleteFrom('webhook').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n
}

/**
 * The one delivery of each webhook that is due first: so none that has many keeps the others waiting. Those that failed last come after
 * all others: they may hang again.
 */
export const listDue = (db: Db, now: string, limit: number) =>
  db
    .selectFrom('webhook')
    .innerJoin('user as maker', 'maker.id', 'webhook.maker_id')
    .innerJoin('webhook_delivery as due', (join) =>
      join.on((eb) =>
        eb(
          'due.id',
          '=',
          eb
            .selectFrom('webhook_delivery as first')
            .select('first.id')
            .whereRef('first.webhook_id', '=', 'webhook.id')
            .where('first.state', '=', sql.lit('waiting'))
            .where('first.next_at', '<=', now)
            .orderBy('first.next_at')
            .orderBy('first.id')
            .limit(1),
        ),
      ),
    )
    .select(['due.id', 'due.webhook_id', 'webhook.company_id'])
    .where('webhook.paused_at', 'is', null)
    .where(mayTell)
    .orderBy((eb) => eb.case().when('webhook.failures', '>', 0).then(sql.lit(1)).else(sql.lit(0)).end())
    .orderBy('due.next_at')
    .limit(limit)
    .execute()

const webhooks = (db: Db, within: string | undefined) =>
  withMaker(db.selectFrom('webhook')).$if(within !== undefined, (q) => q.where('webhook.company_id', '=', within ?? ''))

const withMaker = (rows: Rows<'webhook'>) =>
  rows
    .innerJoin('company', 'company.id', 'webhook.company_id')
    .innerJoin('user as maker', 'maker.id', 'webhook.maker_id')
    .selectAll('webhook')
    .select([
      'company.name as company_name',
      'maker.name as maker_name',
      'maker.company_id as maker_company',
      mayTell.as('may_tell'),
    ])
