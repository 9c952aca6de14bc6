import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { limitToCompanies } from '../../db/queries/company-scope.ts'
import { isWithin } from '../../db/queries/tree.ts'
import type { Schema } from '../../db/schema.ts'
import { isNoteOf, type Viewer } from '../audit/audit-list.repo.ts'

/** An entry of the audit log, without its details. */
export type Change = Awaited<ReturnType<typeof listChanges>>[number]

const changeColumns = [
  'audit.seq',
  'audit.action',
  'audit.company_id',
  'audit.link_key',
  'audit.directory_id',
  'audit.file_id',
] as const

/** Lists those of the next `count` entries of the audit log that a viewer may see. Without a viewer, all of them. */
export async function listChanges(db: Db, after: number, count: number, viewer?: Viewer) {
  const next = db.selectFrom('audit').selectAll().where('seq', '>', after).orderBy('seq').limit(count)
  const rows = db.selectFrom(next.as('audit')) as unknown as SelectQueryBuilder<Schema, 'audit', object>
  let visible = limitToCompanies(rows, 'audit.company_id', viewer?.scope ?? {})
  if (viewer?.hiddenNotesOf !== undefined)
    visible = visible.where(sql<boolean>`not ${isNoteOf(viewer.hiddenNotesOf)}`).where('audit.company_id', 'is not', null)
  return visible.select(changeColumns).execute()
}

/** Returns whether one of these directories is a given one, or somewhere below it. */
export async function isAnyWithin(db: Db, ids: string[], directory: string): Promise<boolean> {
  if (ids.length === 0) return false
  const found = db.selectFrom('directory').select('id').where('id', 'in', ids).where(isWithin('directory.id', directory))
  return (await found.limit(1).executeTakeFirst()) !== undefined
}
