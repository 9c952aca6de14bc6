import type { Dashboard, FirstStep } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type CompanyScope, getCompanyScope, type Staff } from '../../lib/actor.ts'
import type { Requester } from '../../lib/concurrency/scan.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { countCompanies, listLargestCompanies, listWarnedCompanies } from '../company/company.repo.ts'
import { getQuota } from '../company/company.service.ts'
import { countFilesOf } from '../company/company-total.repo.ts'
import { readPasswordState } from '../session/policy.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findUser, type UserRecord } from '../user/user.repo.ts'
import { firstAdminName } from '../user/user.service.ts'
import { readAttention } from './attention.service.ts'
import { recordDashboardVisit } from './dashboard-visit.service.ts'
import { readNews } from './news.service.ts'
import { isNew, readSetUp } from './set-up.service.ts'
import { readStats } from './stats.service.ts'
import { countTransfers, maxRowsPerView, readTransfers } from './transfer.service.ts'

/** Returns what the dashboard shows besides the totals. Each part reads only a few rows, however large the database is. */
export async function readDashboard(deps: Deps, actor: Staff, requester: Requester): Promise<Dashboard> {
  const scope = getCompanyScope(actor)
  await writeQueuedEntries(deps, 'none') // so that a recent download counts
  // If the database is read-only, the dashboard shows what was counted before.
  await countTransfers(deps, maxRowsPerView).catch((err) => deps.log.warn({ err }, 'transfers could not be counted'))
  const user = await findUser(deps.db, actor.userId)
  const newSince = user ? await recordDashboardVisit(deps, actor, user) : deps.now().toISOString()
  return {
    attention: await readAttention(deps, actor, requester),
    news: await readNews(deps, actor, newSince, requester),
    transfers: await readTransfers(deps, scope),
    storage: await readStorage(deps, scope),
    start: await readFirstSteps(deps, actor, user),
  }
}

const companiesShown = 6

/** Returns the storage of companies that are running out of it, then of the largest ones. Counts the trash, as the quota does. */
async function readStorage(deps: Deps, scope: CompanyScope): Promise<Dashboard['storage']> {
  const warned = await listWarnedCompanies(deps.db, scope, companiesShown)
  const largest = await listLargestCompanies(deps.db, scope, companiesShown)
  const warnedIds = new Set(warned.map(({ id }) => id))
  const companies = [...warned, ...largest.filter(({ id }) => !warnedIds.has(id))].slice(0, companiesShown)
  const files = await countFilesOf(
    deps.db,
    companies.map(({ id }) => id),
  )
  const { storage } = await readSettings(deps)
  return {
    companies: companies.map((company) => ({
      id: company.id,
      name: company.name,
      bytes: Number(company.bytes),
      files: files.get(company.id) ?? 0,
      quota: getQuota(storage, company),
      warned: warnedIds.has(company.id),
    })),
    total: await countCompanies(deps.db, scope),
    quota: storage.company_quota_bytes,
  }
}

/** Returns the first steps of a new installation or a new user. A step is done when its result exists. Null if neither is new. */
async function readFirstSteps(deps: Deps, actor: Staff, user: UserRecord | undefined): Promise<FirstStep[] | null> {
  if (!user) return null
  // People who sign in with a provider or without passwords have no password to replace.
  const hasOwnPassword = user.password_changed_at !== null || (await readPasswordState(deps, user)) !== 'set'
  // Recipients see the name of the person who shares, so the first admin needs one.
  const isDone = hasOwnPassword && user.name !== firstAdminName
  const password: FirstStep = { step: 'password', done: isDone }
  const setUp = actor.role === 'NEPTUNE_ADMIN' ? await readSetUp(deps, actor) : undefined
  if (setUp?.is_new) return [password, ...setUp.steps]
  if (!isNew(deps, user.created_at)) return null
  const { links, directories, files } = await readStats(deps, actor)
  return [
    password,
    { step: 'directory', done: directories > 0 },
    { step: 'file', done: files > 0 },
    { step: 'link', done: links > 0 },
  ]
}
