import type { api, Company, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type Staff, visibleCompany } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/secrets.ts'
import {
  type CompanyRecord,
  findCompany,
  insertCompany,
  listCompanies,
  listDirectoriesOf,
  renameCompany,
} from './company.repo.ts'

/** Admins see every company, users their own. */
export async function listVisibleCompanies(deps: Deps, actor: Staff, query: Parsed<typeof api.company.list>['query']) {
  const { rows, next } = await listCompanies(deps.db, query, visibleCompany(actor))
  return { data: await withDirectories(deps, rows), next }
}

export async function createCompany(deps: Deps, name: string): Promise<Company> {
  const company = { id: newId(), name: name.trim(), created_at: deps.now().toISOString() }
  if (!(await insertCompany(deps.db, company))) throw new AppError('company.name_taken')
  return { id: company.id, name: company.name, directories: [] }
}

export async function giveCompanyName(deps: Deps, id: string, name: string): Promise<Company> {
  if (!(await renameCompany(deps.db, id, name.trim()))) throw new AppError('company.name_taken')
  const company = await findCompany(deps.db, id)
  if (!company) throw new AppError('company.not_found')
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
