import type { Dashboard, FirstStep } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type Staff, visibleCompany } from '../../lib/actor.ts'
import { hasEntry } from '../audit/audit.repo.ts'
import { writeNotes } from '../audit/audit.service.ts'
import { countCompanies, listLargestCompanies } from '../company/company.repo.ts'
import { countFilesOf } from '../directory/directory.repo.ts'
import { findUser, type UserRecord } from '../user/user.repo.ts'
import { firstCompanyName } from '../user/user.service.ts'
import { readStats } from './stats.service.ts'
import { countTransfers, maxRowsPerView, readTransfers } from './transfer.service.ts'

/** What the dashboard shows besides the totals. Each part is a few rows of what is kept, however much there is. */
export async function readDashboard(deps: Deps, actor: Staff): Promise<Dashboard> {
  const within = visibleCompany(actor)
  await writeNotes(deps, 'none') // so that a recent download counts
  // A database that takes no writes still answers with what was counted before.
  await countTransfers(deps, maxRowsPerView).catch((err) => deps.log.warn({ err }, 'transfers were not counted'))
  return {
    transfers: await readTransfers(deps, within),
    storage: await readStorage(deps, within),
    start: await readStart(deps, actor),
  }
}

const companiesShown = 6

/** The largest ones. What they keep counts as the quota does, the trash included. */
async function readStorage(deps: Deps, within: string | undefined): Promise<Dashboard['storage']> {
  const companies = await listLargestCompanies(deps.db, within, companiesShown)
  const files = await countFilesOf(
    deps.db,
    companies.map(({ id }) => id),
  )
  return {
    companies: companies.map(({ id, name, bytes }) => ({ id, name, bytes: Number(bytes), files: files.get(id) ?? 0 })),
    total: within === undefined ? await countCompanies(deps.db) : companies.length,
    quota: deps.config.companyQuotaBytes ?? null,
  }
}

const newFor = 30 * 24 * 60 * 60_000

/** What somebody new has still to do, by what is there and not by what they clicked. Null when all of it is, or they are not new any more. */
async function readStart(deps: Deps, actor: Staff): Promise<FirstStep[] | null> {
  const user = await findUser(deps.db, actor.userId)
  if (!user || deps.now().getTime() - Date.parse(user.created_at) > newFor) return null
  const { links, directories, files } = await readStats(deps, actor)
  const steps: FirstStep[] = [
    { step: 'password', done: user.password_changed_at !== null },
    ...(actor.role === 'NEPTUNE_ADMIN' ? [companyStep(user)] : []),
    { step: 'directory', done: directories > 0 },
    { step: 'file', done: files > 0 },
    { step: 'link', done: links > 0 },
    ...(actor.role === 'NEPTUNE_ADMIN' ? [{ step: 'recipient' as const, done: await isSeen(deps) }] : []),
  ]
  return steps.every(({ done }) => done) ? null : steps
}

const companyStep = ({ company_name }: UserRecord): FirstStep => ({ step: 'company', done: company_name !== firstCompanyName })

/** Whether anybody ever saw a link from the other side. */
const isSeen = async ({ db }: Deps) => (await hasEntry(db, 'link.previewed')) || hasEntry(db, 'link.opened')
