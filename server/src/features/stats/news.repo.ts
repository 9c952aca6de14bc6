import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type PageRequest, readPage } from '../../db/queries/paging.ts'
import type { Schema } from '../../db/schema.ts'
import type { CompanyScope } from '../../lib/actor.ts'

export type News = Insertable<Schema['news']>

/** Lists the news of links that still exist, newest first. */
export const listNews = (db: Db, scope: CompanyScope, request: Omit<PageRequest, 'sort'>) =>
  readPage(
    db,
    {
      table: 'news',
      columns: { at: 'news.at' },
      id: 'news.id',
      narrow: (rows) => rows,
      show: (rows) =>
        rows
          .innerJoin('link', 'link.key', 'news.link_key')
          .innerJoin('company', 'company.id', 'news.company_id')
          .selectAll('news')
          .select(['link.name as target', 'link.type', 'link.directory_id', 'link.email', 'company.name as company_name']),
      isFiltered: false,
      companies: { column: 'news.company_id', scope },
    },
    { ...request, sort: '-at' },
  )

/** Returns the newest news of one kind about a link. */
export const findLastNews = (db: Db, linkKey: string, kind: News['kind']) =>
  db
    .selectFrom('news')
    .select(['id', 'at', 'files'])
    .where('link_key', '=', linkKey)
    .where('kind', '=', kind)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const insertNews = (trx: Db, row: News) => trx.insertInto('news').values(row).execute()

/** Adds uploads to those of the same burst. Their receipt, if any, doesn't cover the new ones, so it is no longer shown with them. */
export const addToNews = (trx: Db, id: string, { at, files, bytes }: Pick<News, 'at' | 'files' | 'bytes'>) =>
  trx
    .updateTable('news')
    .set((eb) => ({ at, files: eb('files', '+', files), bytes: eb('bytes', '+', bytes), receipt_id: null }))
    .where('id', '=', id)
    .execute()

export const setReceipt = (trx: Db, id: string, receipt_id: string | null) =>
  trx.updateTable('news').set({ receipt_id }).where('id', '=', id).execute()

export const deleteOldNews = (trx: Db, before: string) => trx.deleteFrom('news').where('at', '<', before).execute()
