import type { api, Company, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { newId } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import {
  type CompanyRecord,
  findCompany,
  insertCompany,
  listCompanies,
  listDirectoriesOf,
  listSelectedCompanies,
  renameCompany,
} from './company.repo.ts'

/**
 * Lists companies: all of them for admins, those they have access to for users. With `user`, lists the companies that are selected for
 * that user. To everyone but admins, the ones of other users look empty.
 */
export async function listVisibleCompanies(
  deps: Deps,
  actor: Staff,
  query: Parsed<typeof api.company.list>['query'] & WithRequester,
) {
  const { user } = query
  if (user !== undefined && user !== actor.userId && actor.role !== 'NEPTUNE_ADMIN') return { data: [], next: null }
  const { rows, next } =
    user === undefined
      ? await listCompanies(deps.db, query, getCompanyScope(actor))
      : await listSelectedCompanies(deps.db, user, query)
  return { data: await withDirectories(deps, rows), next }
}

export async function createCompany(deps: Deps, actor: Staff, name: string): Promise<Company> {
  const company = { id: newId(), name: name.trim(), created_at: deps.now().toISOString() }
  await deps.db.transaction().execute(async (trx) => {
    if (!(await insertCompany(trx, company))) throw new AppError('company.name_taken')
    await record(deps, trx, [{ action: 'company.created', by: actor, company: company.id, name: company.name }])
  })
  return { id: company.id, name: company.name, directories: [] }
}

export async function changeCompanyName(deps: Deps, actor: Staff, id: string, name: string): Promise<Company> {
  const before = await findCompany(deps.db, id)
  if (!before) throw new AppError('company.not_found')
  await deps.db.transaction().execute(async (trx) => {
    if (!(await renameCompany(trx, id, name.trim()))) throw new AppError('company.name_taken')
    await record(deps, trx, [
      { action: 'company.renamed', by: actor, company: id, name: name.trim(), note: `was ${before.name}` },
    ])
  })
  const company = { ...before, name: name.trim() }
  const [renamed] = await withDirectories(deps, [company])
  if (!renamed) throw new AppError('company.not_found')
  return renamed
}

async function withDirectories(deps: Deps, companies: CompanyRecord[]): Promise<Company[]> {
  if (companies.length === 0) return []
  const directories = await listDirectoriesOf(
    deps.db,
    companies.map(({ id }) => id),
  )
  const byCompany = Map.groupBy(directories, (directory) => directory.company_id)
  return companies.map(({ id, name }) => ({
    id,
    name,
    directories: (byCompany.get(id) ?? []).map((directory) => ({ id: directory.id, title: directory.name })),
  }))
}
