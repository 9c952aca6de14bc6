import type { LinkAsk } from '@neptune/contract'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { directoryIsDeleted, fileIsDeleted, versionIsDeleted } from '../../db/link-standing.ts'
import { isForeignAdmin, limitToCompanies, mayAccess } from '../../db/queries/company-scope.ts'
import { deleteInSlices } from '../../db/queries/delete-in-slices.ts'
import { type PageRequest, readPage } from '../../db/queries/paging.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import type { Schema } from '../../db/schema.ts'
import type { CompanyScope } from '../../lib/actor.ts'

export const insertVisit = prepareQuery((db, row: Insertable<Schema['link_session']>) =>
  db.insertInto('link_session').values(row),
)

/** The current time, and the time after which a visit must have begun to be still valid. */
export interface VisitLimits {
  now: string
  startedAfter: string
}

/** Selects visits that have not ended, whether or not their links can be opened right now. */
const selectVisits = (db: Db, { now, startedAfter }: VisitLimits) =>
  db
    .selectFrom('link_session')
    .innerJoin('link', (join) =>
      join.onRef('link.key', '=', 'link_session.link_key').onRef('link.generation', '=', 'link_session.generation'),
    )
    .where('link_session.idle_ends_at', '>', now) // never later than ends_at
    .where('link_session.created_at', '>', startedAfter)
    .where('link.expires_at', '>', now)

/**
 * Selects visits that are still valid. The query itself checks everything that can end a visit: its own end, a new code, expiry or
 * deletion of the link, suspension of its owner or loss of their access, and archiving of its company. So these take effect on the next
 * request, on every node.
 */
const selectLiveVisits = (db: Db, limits: VisitLimits) =>
  selectVisits(db, limits)
    .innerJoin('user as owner', 'owner.id', 'link.maker_id')
    .leftJoin('session', 'session.id', 'link_session.staff_session_id')
    .leftJoin('user as viewer', (join) =>
      join.onRef('viewer.id', '=', 'session.user_id').onRef('viewer.generation', '=', 'session.generation'),
    )
    .where(mayAccess('owner', 'link.company_id'))
    // Staff who view a link as a recipient need access to it themselves.
    .where((eb) => eb.or([eb('link_session.staff_session_id', 'is', null), mayAccess('viewer', 'link.company_id')]))
    .select([
      'link_session.id',
      'link_session.client',
      'link_session.staff_session_id',
      'link_session.last_seen_at',
      'link_session.ends_at',
      'link.key',
      'link.type',
      'viewer.id as viewer_id',
      'viewer.name as viewer_name',
      'link.company_id',
      'link.directory_id',
      'link.file_id',
      'link.version',
    ])

export type VisitRecord = NonNullable<Awaited<ReturnType<typeof findVisit>>>

const selectVisitByToken = prepareQuery((db, { hash, ...limits }: VisitLimits & { hash: string }) =>
  selectLiveVisits(db, limits).where('link_session.hash', '=', hash),
)

export const findVisitByToken = async (db: Db, hash: string, limits: VisitLimits) =>
  (await selectVisitByToken(db, { ...limits, hash })).rows[0]

const selectVisitById = prepareQuery((db, { id, ...limits }: VisitLimits & { id: string }) =>
  selectLiveVisits(db, limits).where('link_session.id', '=', id),
)

export const findVisit = async (db: Db, id: string, limits: VisitLimits) => (await selectVisitById(db, { ...limits, id })).rows[0]

/** Returns whether a recipient's visit has not ended, even if its link can't be opened right now. */
export const hasVisit = async (db: Db, visit: { id: string } | { hash: string }, limits: VisitLimits): Promise<boolean> => {
  const [column, value] = 'id' in visit ? (['id', visit.id] as const) : (['hash', visit.hash] as const)
  const visits = selectVisits(db, limits).where('link_session.staff_session_id', 'is', null)
  return (await visits.where(`link_session.${column}`, '=', value).select('link_session.id').executeTakeFirst()) !== undefined
}

export const touchVisit = (db: Db, id: string, seen: { last_seen_at: string; idle_ends_at: string }) =>
  db.updateTable('link_session').set(seen).where('id', '=', id).execute()

export const deleteEndedVisits = (db: Db, now: string) =>
  deleteInSlices(db, 'link_session', 'id', (rows) => rows.where('idle_ends_at', '<=', now))

/** Ends the least recently seen visits from one address, and keeps the given number of others. */
export const deleteOldVisits = (db: Db, key: string, client: string, kept: number) =>
  db
    .deleteFrom('link_session')
    .where('link_key', '=', key)
    .where('client', '=', client)
    .where('staff_session_id', 'is', null)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('link_session as visit')
        .select('visit.id')
        .where('visit.link_key', '=', key)
        .where('visit.client', '=', client)
        .where('visit.staff_session_id', 'is', null)
        .orderBy('visit.last_seen_at', 'desc')
        .orderBy('visit.created_at', 'desc')
        .limit(kept),
    )
    .execute()

export type NewEvent = Insertable<Schema['link_event']>

export const insertEvent = (db: Db, row: NewEvent) => insertEvents(db, [row])

export const insertEvents = (db: Db, rows: NewEvent[]) => db.insertInto('link_event').values(rows).execute()

const upsertEvent = (times: RawBuilder<number>) =>
  prepareQuery((db, row: NewEvent) =>
    db
      .insertInto('link_event')
      .values(row)
      .onConflict((c) =>
        c
          .columns(['session_id', 'kind', 'file_id'])
          .where(sql<boolean>`session_id is not null and file_id is not null`)
          .doUpdateSet({ times, bytes: sql`link_event.bytes + excluded.bytes`, size: sql`excluded.size`, at: row.at }),
      )
      .returning(['id', 'bytes', 'times']),
  )

/**
 * Adds bytes to the event of a file or ZIP. Raises `times` to the total bytes divided by the object's size, rounded down, and never lowers
 * it. For an empty object, adds 1 to `times`. Returns the event.
 */
export const addBytesToEvent = upsertEvent(
  sql`case when excluded.size = 0 then link_event.times + 1
    when (link_event.bytes + excluded.bytes) / excluded.size > link_event.times
    then (link_event.bytes + excluded.bytes) / excluded.size else link_event.times end`,
)

/** Adds 1 to `times` of an event. Returns the event. */
export const incrementEvent = upsertEvent(sql`link_event.times + 1`)

/** Returns who last reset the code of a link. */
export const findLastReset = (db: Db, key: string) =>
  db
    .selectFrom('link_event')
    .select('user_id')
    .where('link_key', '=', key)
    .where('kind', '=', 'reset')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Lists the events of a link. `scope` determines which admins are hidden from the caller. */
export const listEvents = (db: Db, key: string, request: PageRequest, scope: CompanyScope) =>
  readPage(
    db,
    {
      table: 'link_event',
      columns: { at: 'link_event.at' },
      id: 'link_event.id',
      narrow: (rows) => rows.where('link_event.link_key', '=', key),
      show: (rows) =>
        rows
          .leftJoin('user', 'user.id', 'link_event.user_id')
          .selectAll('link_event')
          .select(['user.name as person', isForeignAdmin('user', scope).as('is_foreign_admin')]),
      isFiltered: false,
    },
    request,
  )

/** Counts how often links were opened, downloaded from and uploaded to, and when last. */
export const countEvents = (db: Db, keys: string[]) =>
  db
    .selectFrom('link_event')
    .select((eb) => ['link_key', 'kind', eb.fn.sum<number>('times').as('times'), eb.fn.max('at').as('last_at')])
    .where('link_key', 'in', keys)
    .where('kind', 'in', ['opened', 'downloaded', 'uploaded'])
    .groupBy(['link_key', 'kind'])
    .execute()

/** Returns the first uploads through a link since a time, and how many there are in total. */
export async function findUploadsSince(db: Db, key: string, since: string, limit: number) {
  const uploads = db.selectFrom('link_event').where('link_key', '=', key).where('kind', '=', 'uploaded').where('at', '>=', since)
  const first = await uploads.select(['name', 'size']).orderBy('at').limit(limit).execute()
  const { count } = await uploads.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { first, count: Number(count) }
}

/** Inserts a request. Returns false if one of the same kind is already open. */
export async function insertAsk(db: Db, row: Insertable<Schema['link_ask']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('link_ask')
    .values(row)
    .onConflict((c) => c.columns(['link_key', 'wants']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Lists the open requests, except those about links of archived companies, which nobody can grant. */
export const listAsks = (db: Db, scope: CompanyScope, limit: number) =>
  selectAsks(db, scope).where('company.archived_at', 'is', null).orderBy('link_ask.created_at', 'desc').limit(limit).execute()

export const findAsk = (db: Db, id: string, scope: CompanyScope) =>
  selectAsks(db, scope).where('link_ask.id', '=', id).executeTakeFirst()

export const findOpenAsk = (db: Db, key: string, wants: LinkAsk['wants']) =>
  db.selectFrom('link_ask').selectAll().where('link_key', '=', key).where('wants', '=', wants).executeTakeFirst()

export const deleteAsk = async (db: Db, id: string): Promise<boolean> =>
  (await db.deleteFrom('link_ask').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n

/** Deletes the open request of one kind about a link, because it was granted in another way. */
export const deleteAskFor = (db: Db, key: string, wants: Schema['link_ask']['wants']) =>
  db.deleteFrom('link_ask').where('link_key', '=', key).where('wants', '=', wants).execute()

const selectAsks = (db: Db, scope: CompanyScope) =>
  limitToCompanies(db.selectFrom('link_ask').innerJoin('link', 'link.key', 'link_ask.link_key'), 'link.company_id', scope)
    .innerJoin('company', 'company.id', 'link.company_id')
    .selectAll('link_ask')
    .select(['link.name', 'link.type', 'link.expires_at', 'link.email', 'company.name as company_name'])
    .innerJoin('user as owner', 'owner.id', 'link.maker_id')
    .select([
      directoryIsDeleted.as('directory_is_deleted'),
      sql<boolean>`(${fileIsDeleted} or ${versionIsDeleted})`.as('file_is_deleted'),
    ])
    .select(mayAccess('owner', 'link.company_id').as('may_share'))
