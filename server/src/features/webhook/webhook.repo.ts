import { type Insertable, sql, type Updateable } from 'kysely'
import { type Db, takeAdvisoryLock } from '../../db/database.ts'
import { limitToCompanies, mayAccess } from '../../db/queries/company-scope.ts'
import { type PageRequest, type Rows, readPage } from '../../db/queries/paging.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import type { Schema } from '../../db/schema.ts'
import type { CompanyScope } from '../../lib/actor.ts'

export type WebhookRecord = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

export const findWebhook = (db: Db, id: string, scope: CompanyScope) =>
  selectWebhooks(db, scope).where('webhook.id', '=', id).executeTakeFirst()

export const listWebhooks = (db: Db, request: PageRequest & { company: string }, scope: CompanyScope) =>
  readPage(
    db,
    {
      table: 'webhook',
      columns: { created_at: 'webhook.created_at' },
      id: 'webhook.id',
      narrow: (rows) => rows,
      companies: { column: 'webhook.company_id', scope, requested: request.company },
      show: withOwner,
      isFiltered: false,
    },
    request,
  )

/** Whether a webhook's owner can sign in and has access to its company, and this company isn't archived. If not, the webhook is paused. */
const ownerHasAccess = mayAccess('maker', 'webhook.company_id')

const selectSubscribers = prepareQuery((db, { company }: { company: string }) =>
  db
    .selectFrom('webhook')
    .innerJoin('user as maker', 'maker.id', 'webhook.maker_id')
    .select(['webhook.id', 'webhook.events'])
    .where('webhook.company_id', '=', company)
    .where('webhook.paused_at', 'is', null)
    .where(ownerHasAccess),
)

/** Returns the active webhooks of a company. */
export const listSubscribers = async (db: Db, company: string) => (await selectSubscribers(db, { company })).rows

/** Serializes the creation of webhooks for a company, so that concurrent requests cannot exceed its limit. */
export const lockWebhooks = (trx: Db, company: string) => takeAdvisoryLock(trx, `webhook ${company}`)

export async function countWebhooks(db: Db, company: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhook')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertWebhook = (db: Db, row: Insertable<Schema['webhook']>) => db.insertInto('webhook').values(row).execute()

/** Returns false if the webhook does not exist. */
export async function updateWebhook(db: Db, id: string, change: Updateable<Schema['webhook']>): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('webhook').set(change).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns false if the webhook is already paused or does not exist. */
export async function pauseWebhook(db: Db, id: string, paused_at: string, problem: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook')
    .set({ paused_at, problem })
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Counts one more failure in a row. Returns how many there are, and since when. */
export const countFailure = (db: Db, id: string, now: string) =>
  db
    .updateTable('webhook')
    .set((eb) => ({ failures: eb('failures', '+', 1), failing_since: eb.fn.coalesce('failing_since', eb.val(now)) }))
    .where('id', '=', id)
    .returning(['failures', 'failing_since'])
    .executeTakeFirst()

export const resetFailures = (db: Db, id: string) => updateWebhook(db, id, { failures: 0, failing_since: null })

/** Returns false if the webhook does not exist. Its remaining deliveries are not sent. */
export async function deleteWebhook(trx: Db, id: string): Promise<boolean> {
  return (await trx.deleteFrom('webhook').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n
}

/**
 * Returns the first due delivery of each webhook, so that one with many does not delay the others. Webhooks that failed last time
 * come after all others, because they may hang again.
 */
export const listDueDeliveries = (db: Db, now: string, limit: number) =>
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
    .where(ownerHasAccess)
    .orderBy((eb) => eb.case().when('webhook.failures', '>', 0).then(sql.lit(1)).else(sql.lit(0)).end())
    .orderBy('due.next_at')
    .limit(limit)
    .execute()

const selectWebhooks = (db: Db, scope: CompanyScope) =>
  limitToCompanies(withOwner(db.selectFrom('webhook')), 'webhook.company_id', scope)

const withOwner = (rows: Rows<'webhook'>) =>
  rows
    .innerJoin('company', 'company.id', 'webhook.company_id')
    .innerJoin('user as maker', 'maker.id', 'webhook.maker_id')
    .selectAll('webhook')
    .select([
      'company.name as company_name',
      'company.archived_at as company_archived_at',
      'maker.name as maker_name',
      'maker.company_id as maker_company',
      'maker.role as maker_role',
      ownerHasAccess.as('owner_has_access'),
    ])
