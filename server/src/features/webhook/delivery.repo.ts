import type { DeliveryState } from '@neptune/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { deleteInSlices } from '../../db/queries/delete-in-slices.ts'
import { type PageRequest, readPage } from '../../db/queries/paging.ts'
import type { Schema } from '../../db/schema.ts'

export type DeliveryRecord = Selectable<Schema['webhook_delivery']>

export const insertDeliveries = (db: Db, rows: Insertable<Schema['webhook_delivery']>[]) =>
  db.insertInto('webhook_delivery').values(rows).execute()

export const listDeliveries = (db: Db, webhookId: string, request: PageRequest & { state?: DeliveryState | undefined }) =>
  readPage(
    db,
    {
      table: 'webhook_delivery',
      columns: { created_at: 'webhook_delivery.created_at' },
      id: 'webhook_delivery.id',
      narrow: (rows) => rows.where('webhook_delivery.webhook_id', '=', webhookId),
      show: (rows) =>
        rows
          .selectAll('webhook_delivery')
          .$if(request.state !== undefined, (q) => q.where('webhook_delivery.state', '=', request.state ?? 'waiting')),
      isFiltered: request.state !== undefined,
    },
    request,
  )

/** Claims due deliveries for one process. Other processes, on any node, then no longer find them due. */
export const claimDeliveries = (db: Db, ids: string[], claim: string, now: string, until: string): Promise<DeliveryRecord[]> =>
  db
    .updateTable('webhook_delivery')
    .set({ claim, next_at: until })
    .where('id', 'in', ids)
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .returningAll()
    .execute()

/** Changes a delivery while the claim on it is held. Returns false if the claim was lost. */
export async function updateClaimedDelivery(
  db: Db,
  { id, claim }: DeliveryRecord,
  change: Updateable<Schema['webhook_delivery']>,
) {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set(change)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns the webhooks with more than `limit` waiting deliveries. */
export const listOverloadedWebhooks = (db: Db, limit: number) =>
  db
    .selectFrom('webhook_delivery')
    .select('webhook_id')
    .where('state', '=', sql.lit('waiting'))
    .groupBy('webhook_id')
    .having((eb) => eb(eb.fn.countAll(), '>', limit))
    .execute()

export const deleteOldDeliveries = (db: Db, before: string) =>
  deleteInSlices(db, 'webhook_delivery', 'id', (rows) => rows.where('created_at', '<', before))

export const deleteDeliveriesOf = (db: Db, webhookId: string) =>
  deleteInSlices(db, 'webhook_delivery', 'id', (rows) => rows.where('webhook_id', '=', webhookId))
