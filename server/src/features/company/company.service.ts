import {
  type api,
  type ChangedCompany,
  type Company,
  type CompanyDetails,
  type CompanyRow,
  maxCountPerCompany,
  type Parsed,
  type Settings,
} from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { newId } from '../../lib/secrets.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { readOwnBrand } from '../brand/brand.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import {
  type CompanyRecord,
  findCompany,
  insertCompany,
  listCompanies,
  listDirectoriesOf,
  listSelectedCompanies,
  lockCompany,
  lockCompanyShared,
  summarizeCompanies,
  updateCompany,
} from './company.repo.ts'

/**
 * Lists companies: all of them for admins, those they have access to for users. With `user`, lists the companies that are selected for
 * that user. Only admins get those of other users; everyone else gets an empty list.
 */
export async function listVisibleCompanies(
  deps: Deps,
  actor: Staff,
  { archived, ...query }: Parsed<typeof api.company.list>['query'] & WithRequester,
) {
  const { user } = query
  if (user !== undefined && user !== actor.userId && actor.role !== 'NEPTUNE_ADMIN') return { data: [], next: null }
  const request = { ...query, isArchived: archived === 'true' }
  const { rows, next } =
    user === undefined
      ? await listCompanies(deps.db, request, getCompanyScope(actor))
      : await listSelectedCompanies(deps.db, user, request)
  return { data: await withDirectories(deps, rows), next }
}

/** Lists companies with their people, directories, storage, links and last activity. */
export async function listCompanyRows(
  deps: Deps,
  actor: Staff,
  { archived, ...query }: Parsed<typeof api.company.overview>['query'] & WithRequester,
) {
  const request = { ...query, isArchived: archived === 'true' }
  const { rows, next } = await listCompanies(deps.db, request, getCompanyScope(actor))
  return { data: await toCompanyRows(deps, rows), next }
}

/** Returns a company. Throws `company.not_found` if the caller may not see it. */
export async function readCompany(deps: Deps, actor: Staff, id: string): Promise<CompanyDetails> {
  const company = await findCompany(deps.db, id, getCompanyScope(actor))
  const [row] = company ? await toCompanyRows(deps, [company]) : []
  if (!company || !row) throw new AppError('company.not_found')
  return { ...row, ...(await toDetails(deps, actor, company)) }
}

export async function createCompany(deps: Deps, actor: Staff, name: string): Promise<Company> {
  const company = { id: newId(), name: name.trim(), created_at: deps.now().toISOString() }
  await deps.db.transaction().execute(async (trx) => {
    if (!(await insertCompany(trx, company))) throw new AppError('company.name_taken')
    await record(deps, trx, [{ action: 'company.created', by: actor, company: company.id, name: company.name }])
  })
  return { id: company.id, name: company.name, directories: [] }
}

/** Changes the name, the note, the quota or the brand name of a company. An undefined field stays unchanged. */
export async function changeCompany(
  deps: Deps,
  actor: Staff,
  id: string,
  { name, note, quota, brand_name }: Parsed<typeof api.company.change>['body'],
): Promise<ChangedCompany> {
  const change = {
    ...(name !== undefined && { name: name.trim() }),
    ...(note !== undefined && { note: note.trim() }),
    ...(quota !== undefined && { quota_bytes: quota }),
    ...(brand_name !== undefined && { brand_name: brand_name?.trim() ?? null }),
  }
  const company = await deps.db.transaction().execute(async (trx) => {
    const before = await lockCompany(trx, id)
    if (!before) throw new AppError('company.not_found')
    if (!(await updateCompany(trx, id, change))) throw new AppError('company.name_taken')
    const after = { ...before, ...change }
    await record(deps, trx, createChangeEntries(actor, before, after))
    return after
  })
  const [changed] = await withDirectories(deps, [company])
  if (!changed) throw new AppError('company.not_found')
  const details = await toDetails(deps, actor, company)
  return { ...changed, ...details, quota: details.own_quota ?? details.default_quota }
}

function createChangeEntries(by: Staff, before: CompanyRecord, after: CompanyRecord): Entry[] {
  const about = { by, company: after.id, name: after.name }
  const entries: Entry[] = []
  if (after.name !== before.name) entries.push({ action: 'company.renamed', ...about, note: `was ${before.name}` })
  if (after.note !== before.note) entries.push({ action: 'company.note_changed', ...about })
  const quotas = [before, after].map(({ quota_bytes }) => (quota_bytes === null ? 'default' : String(quota_bytes)))
  if (quotas[0] !== quotas[1]) entries.push({ action: 'company.quota_changed', ...about, note: quotas.join(' → ') })
  const brandNames = [before, after].map(({ brand_name }) => brand_name ?? 'not set')
  if (after.brand_name !== before.brand_name)
    entries.push({ action: 'company.brand_changed', ...about, note: `name: ${brandNames.join(' → ')}` })
  return entries
}

/** Throws `company.archived` if the company is archived. Call it inside the transaction that adds something to the company. */
export async function requireOpenCompany(trx: Deps['db'], id: string): Promise<void> {
  const company = await lockCompanyShared(trx, id)
  if (!company) throw new AppError('company.not_found')
  rejectArchived(company.archived_at)
}

/** Throws `company.archived` unless the given `archived_at` of a company is null. */
export function rejectArchived(archivedAt: string | null): void {
  if (archivedAt !== null) throw new AppError('company.archived')
}

/** Returns how many bytes a company may store; null without a limit. Its own quota overrides the default. */
export const getQuota = (
  { company_quota_bytes }: Settings['storage'],
  { quota_bytes }: Pick<CompanyRecord, 'quota_bytes'>,
): number | null => toNumber(quota_bytes) ?? company_quota_bytes

const toDetails = async (deps: Deps, actor: Staff, company: CompanyRecord) => ({
  note: mayReadNote(actor, company) ? company.note : null,
  own_quota: toNumber(company.quota_bytes),
  default_quota: (await readSettings(deps)).storage.company_quota_bytes,
  brand: await readOwnBrand(deps, company),
})

/** Returns whether someone with access to a company may read its note: admins and people of other companies. */
const mayReadNote = ({ role, companyId }: Staff, { id }: CompanyRecord) => role === 'NEPTUNE_ADMIN' || companyId !== id

const toNumber = (value: number | null) => (value === null ? null : Number(value))

async function toCompanyRows(deps: Deps, companies: CompanyRecord[]): Promise<CompanyRow[]> {
  const ids = companies.map(({ id }) => id)
  const summaries = await summarizeCompanies(deps.db, ids, deps.now().toISOString(), maxCountPerCompany)
  const { storage } = await readSettings(deps)
  return companies.map((company) => {
    const { people = 0, directories = 0, active_links = 0, last_activity_at = null } = summaries.get(company.id) ?? {}
    return {
      id: company.id,
      name: company.name,
      created_at: company.created_at,
      people: Number(people),
      directories: Number(directories),
      bytes: Number(company.bytes),
      quota: getQuota(storage, company),
      active_links: Number(active_links),
      last_activity_at,
      archived_at: company.archived_at,
    }
  })
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
