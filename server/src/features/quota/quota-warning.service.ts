import type { Settings } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { systemRequester } from '../../lib/concurrency/scan.ts'
import { emails } from '../../mail/emails/emails.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { type CompanyRecord, findCompany, listUsages, lockCompany, setWarnedPercent } from '../company/company.repo.ts'
import { getQuota } from '../company/company.service.ts'
import { type Compose, enqueueMails } from '../outbox/outbox.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findUserByEmail, listAdminEmails } from '../user/user.repo.ts'

/** Admins are warned when a company has used this much of its quota, in percent. */
const thresholds = [95, 80]
/** A warning is repeated only after the usage has fallen this far below its threshold, in percent of the quota. */
const marginPercent = 5
/** The maximum number of companies that one transaction locks and one new message is about. */
const maxCompaniesPerMessage = 20
/** How many companies an email lists. Merged messages can be about more. */
const maxCompaniesListed = 50

type Storage = Settings['storage']
type Usage = Pick<CompanyRecord, 'bytes' | 'quota_bytes' | 'warned_percent'>

/**
 * Warns admins, by email and in the audit log, about companies that have passed a threshold of their quota since the last check. Runs
 * every minute rather than with each upload, so that no upload waits for it. It compares the current usage with the last warning, so it
 * also notices a changed quota.
 */
export async function warnAboutQuotas(deps: Deps): Promise<void> {
  const { storage } = await readSettings(deps)
  const { company_quota_bytes } = storage
  const minBytes = company_quota_bytes === null ? undefined : Math.floor((company_quota_bytes * Math.min(...thresholds)) / 100)
  for await (const usages of listUsages(deps.db, minBytes, systemRequester)) {
    const changed = usages.filter((usage) => findThreshold(storage, usage) !== usage.warned_percent).map(({ id }) => id)
    for (let at = 0; at < changed.length; at += maxCompaniesPerMessage)
      await updateWarnings(deps, storage, changed.slice(at, at + maxCompaniesPerMessage))
  }
}

/** Stores which thresholds companies have passed, and warns admins about new ones. The locks keep nodes from sending a warning twice. */
const updateWarnings = (deps: Deps, storage: Storage, ids: string[]) =>
  deps.db.transaction().execute(async (trx) => {
    const warned: { about: string; entry: Entry }[] = []
    for (const id of ids.toSorted()) {
      const company = await lockCompany(trx, id)
      const threshold = company && findThreshold(storage, company)
      if (!company || company.archived_at !== null || threshold === undefined || threshold === company.warned_percent) continue
      await setWarnedPercent(trx, id, threshold)
      if (threshold < company.warned_percent) continue
      const note = `${getPercent(storage, company)}%`
      const entry: Entry = { action: 'company.quota_warned', by: { kind: 'system' }, company: id, name: company.name, note }
      warned.push({ about: `${id} ${threshold}`, entry })
    }
    if (warned.length === 0) return
    const about = warned.map(({ about }) => about).join('\n')
    await enqueueMails(deps, trx, await listAdminEmails(trx), { letter: 'quota_warning', about })
    await record(
      deps,
      trx,
      warned.map(({ entry }) => entry),
    )
  })

/** Returns how much of its quota a company has used, in whole percent; 0 without a quota. */
function getPercent(storage: Storage, usage: Usage): number {
  const quota = getQuota(storage, usage)
  return quota === null ? 0 : Math.floor((Number(usage.bytes) / quota) * 100)
}

/** Returns the highest threshold passed; 0 if none. After a warning, the usage must first fall `marginPercent` below the threshold. */
function findThreshold(storage: Storage, usage: Usage): number {
  const percent = getPercent(storage, usage)
  return thresholds.find((threshold) => percent >= threshold - (usage.warned_percent >= threshold ? marginPercent : 0)) ?? 0
}

/** Composes the warning. Leaves out companies whose usage has fallen again, and sends nothing to people who are no longer admins. */
export const composeQuotaWarning: Compose = async (deps, { about, to }) => {
  const admin = await findUserByEmail(deps.db, to)
  const isAdmin = admin?.role === 'NEPTUNE_ADMIN' && admin.suspended_at === null && admin.company_archived_at === null
  if (!isAdmin) return undefined
  const { storage } = await readSettings(deps)
  const companies = new Map<string, { name: string; bytes: number; quota: number; percent: number }>()
  for (const line of about.split('\n')) {
    const [id = '', threshold] = line.split(' ')
    const company = companies.has(id) ? undefined : await findCompany(deps.db, id)
    const quota = company && getQuota(storage, company)
    if (!company || !quota || company.archived_at !== null || company.warned_percent < Number(threshold)) continue
    companies.set(id, { name: company.name, bytes: Number(company.bytes), quota, percent: getPercent(storage, company) })
  }
  const [id] = companies.keys()
  if (id === undefined) return undefined
  const url = `${deps.config.publicUrl}/companies${companies.size === 1 ? `/${encodeURIComponent(id)}` : ''}`
  const listed = [...companies.values()].slice(0, maxCompaniesListed)
  return { write: emails.quotaWarning({ name: admin.name, companies: listed, count: companies.size, url }) }
}
