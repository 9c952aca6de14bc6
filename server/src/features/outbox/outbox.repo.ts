import type { MailRow, MailState } from '@neptune/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { type Db, isSqlite, takeAdvisoryLock } from '../../db/database.ts'
import { deleteInSlices } from '../../db/queries/delete-in-slices.ts'
import { type PageRequest, readPage } from '../../db/queries/paging.ts'
import { contains } from '../../db/queries/word-search.ts'
import type { Schema } from '../../db/schema.ts'

export type OutboxRow = Selectable<Schema['outbox']>

export const insertMail = (db: Db, row: Insertable<Schema['outbox']>) => db.insertInto('outbox').values(row).execute()

export const findMail = (db: Db, id: string) => db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()

export const listMails = (
  db: Db,
  request: PageRequest & { search?: string | undefined; state?: MailState | undefined },
): Promise<{ rows: OutboxRow[]; next: string | null }> =>
  readPage(
    db,
    {
      table: 'outbox',
      columns: { created_at: 'outbox.created_at' },
      id: 'outbox.id',
      narrow: (rows) => rows.$if(request.state !== undefined, (q) => q.where('outbox.state', '=', request.state ?? 'waiting')),
      show: (rows) =>
        rows
          .selectAll('outbox')
          .$if(request.search !== undefined, (q) => q.where(contains('outbox.recipient', request.search ?? ''))),
      isFiltered: request.search !== undefined,
    },
    request,
  )

/** Lists failed messages, the newest first. Returns only when they were created. */
export const listFailedSince = (db: Db, since: string, limit: number) =>
  db
    .selectFrom('outbox')
    .select('created_at')
    .where('state', '=', 'failed')
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** Returns whether a message is due. Called often, so it only reads. */
export const hasDueMails = async (db: Db, now: string): Promise<boolean> =>
  (await db
    .selectFrom('outbox')
    .select('id')
    .where('state', 'in', ['waiting', 'sending'])
    .where('next_at', '<=', now)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Claims due messages for one worker. Other workers, on any node, then no longer find them due. */
export const claimDueMails = (db: Db, claim: string, now: string, until: string, limit: number): Promise<OutboxRow[]> =>
  db
    .updateTable('outbox')
    .set({ claim, next_at: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('outbox as due')
        .select('due.id')
        .where('due.state', '=', 'waiting')
        .where('due.next_at', '<=', now)
        .orderBy('due.next_at')
        .orderBy('due.created_at')
        .limit(limit)
        // Skips messages that another node is claiming right now. SQLite serializes writers anyway.
        .$if(!isSqlite(db), (q) => q.forUpdate().skipLocked()),
    )
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .returningAll()
    .execute()

/** Changes a message if the claim on it is still valid. Returns false if not. */
export async function updateClaimedMail(db: Db, { id, claim, state }: OutboxRow, change: Updateable<Schema['outbox']>) {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set(change)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', state)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteClaimedMail = (db: Db, { id, claim }: OutboxRow) =>
  db.deleteFrom('outbox').where('id', '=', id).where('claim', '=', claim).execute()

/** Marks messages as unconfirmed if their worker crashed after the handover to the mail server, whose answer is unknown. */
export const markUnconfirmed = (db: Db, now: string, problem: string) =>
  db
    .updateTable('outbox')
    .set({ state: 'unconfirmed', next_at: null, claim: null, problem })
    .where('state', '=', 'sending')
    .where('next_at', '<=', now)
    .execute()

/** Serializes workers that hold back messages to the same address. */
export const lockHeldMails = (trx: Db, { letter, recipient }: OutboxRow) => takeAdvisoryLock(trx, `mail ${letter} ${recipient}`)

/** Returns another message of this kind to the same address that is held back. */
export const findHeldMail = (trx: Db, { id, letter, recipient }: OutboxRow, problem: string): Promise<OutboxRow | undefined> =>
  trx
    .selectFrom('outbox')
    .selectAll()
    .where('recipient', '=', recipient)
    .where('letter', '=', letter)
    .where('state', '=', 'waiting')
    .where('claim', 'is', null)
    .where('problem', '=', problem)
    .where('id', '!=', id)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()

/** Changes the `about` of a waiting message. Returns false if the message has changed, or a worker has claimed it, meanwhile. */
export async function setMailAbout(trx: Db, { id, about: before }: OutboxRow, about: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set({ about })
    .where('id', '=', id)
    .where('about', '=', before)
    .where('state', '=', 'waiting')
    .where('claim', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes a message, unless a worker has claimed it. */
export const deleteWaitingMail = (trx: Db, { id }: OutboxRow) =>
  trx.deleteFrom('outbox').where('id', '=', id).where('state', '=', 'waiting').where('claim', 'is', null).execute()

/** Returns the waiting messages to an address, and those being sent. */
export const listUnsentMails = (trx: Db, kinds: MailRow['letter'][], to: string): Promise<OutboxRow[]> =>
  trx
    .selectFrom('outbox')
    .selectAll()
    .where('recipient', '=', to)
    .where('state', 'in', ['waiting', 'sending'])
    .where('letter', 'in', kinds)
    .execute()

/** Changes the address of messages that are not sent yet. */
export const readdressMails = (db: Db, kinds: MailRow['letter'][], from: string, to: string) =>
  db
    .updateTable('outbox')
    .set({ recipient: to })
    .where('recipient', '=', from)
    .where('state', 'in', ['waiting', 'sending'])
    .where('letter', 'in', kinds)
    .execute()

/** Queues a failed or unconfirmed message again. Returns false if its state has changed meanwhile. */
export async function repeatMail(db: Db, id: string, now: string, ends_at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'waiting', next_at: now, ends_at, tries: 0, refusals: 0, claim: null, problem: null })
    .where('id', '=', id)
    .where('state', 'in', ['failed', 'unconfirmed'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteOldMails = (db: Db, before: string) =>
  deleteInSlices(db, 'outbox', 'id', (rows) =>
    rows.where('created_at', '<', before).where('state', 'in', ['sent', 'saved', 'failed', 'unconfirmed']),
  )
