import type { Db } from '../../db/database.ts'
import { type PageRequest, readPage } from '../../db/queries/paging.ts'
import type { CompanyScope } from '../../lib/actor.ts'
import { withOwner } from './link.repo.ts'

interface UnopenedRequest extends Omit<PageRequest, 'sort'> {
  /** Only links that expire after this time. */
  expiresAfter: string
  /** Links that were created or last sent between these times. */
  from: string
  to: string
}

/** Lists links that work and that nobody has opened yet, most recently created or sent first. */
export const listUnopenedLinks = (db: Db, { expiresAfter, from, to, ...page }: UnopenedRequest, scope: CompanyScope) =>
  readPage(
    db,
    {
      table: 'link',
      columns: { waiting_since: 'link.waiting_since' },
      id: 'link.key',
      narrow: (rows) => rows.where('link.waiting_since', '>=', from).where('link.waiting_since', '<=', to),
      show: (rows) => withOwner(rows).where('link.standing', '=', 'open').where('link.expires_at', '>', expiresAfter),
      isFiltered: true,
      companies: { column: 'link.company_id', scope },
    },
    { ...page, sort: '-waiting_since' },
  )
