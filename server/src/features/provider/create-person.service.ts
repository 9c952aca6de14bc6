import type { NewPerson } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { createHashWithoutPassword } from '../../lib/password/passwords.ts'
import { newId } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { findCompany, findCompanyByName } from '../company/company.repo.ts'
import { requireOpenCompany } from '../company/company.service.ts'
import { storeSums } from '../stats/transfer.repo.ts'
import { rejectMisleadingName } from '../user/person-name.ts'
import { findUser, insertUser, type UserRecord } from '../user/user.repo.ts'
import { storeAccess } from '../user/user.service.ts'
import type { Identity } from './protocol/provider-identity.ts'
import type { Provider } from './provider.service.ts'
import { insertAccount } from './provider-account.repo.ts'

/**
 * Creates a user without a password for someone who signs in for the first time, and connects their account. Returns undefined if a
 * company doesn't exist, their own company is archived, or a concurrent request has already created the user or connected the account.
 */
export async function createPerson(
  deps: Deps,
  provider: Provider,
  { email, ...identity }: Identity & { email: string },
  rights: NewPerson,
): Promise<UserRecord | undefined> {
  const companies = await resolveCompanies(deps, provider, [rights.company, ...(rights.companies ?? [])])
  const [company_id, ...others] = companies ?? []
  if (company_id === undefined) return undefined
  const created_at = deps.now().toISOString()
  const row = {
    id: newId(),
    company_id,
    name: chooseName(identity.name, email),
    email,
    role: rights.role,
    access: rights.access,
    password_hash: createHashWithoutPassword(),
    generation: 0,
    suspended_at: null,
    created_at,
  }
  const { issuer, subject } = identity
  try {
    await deps.db.transaction().execute(async (trx) => {
      await requireOpenCompany(trx, company_id)
      if (!(await insertUser(trx, row))) throw new AppError('user.email_taken')
      await storeAccess(trx, row, row.access, others)
      const account = { issuer, subject, user_id: row.id, email, created_at, last_used_at: null }
      if ((await insertAccount(trx, account)) !== row.id) throw new AppError('provider.account_taken')
      await storeSums(trx, row.id)
      const about = { by: { kind: 'system' as const }, company: company_id, name: email }
      await record(deps, trx, [{ action: 'user.created', ...about, note: `${row.role}, ${provider.name}` }])
    })
  } catch (error) {
    // The company was archived, or a concurrent request has created the same person.
    if (error instanceof AppError) return undefined
    throw error
  }
  return findUser(deps.db, row.id)
}

/**
 * Returns the ids of the given companies, or undefined if one of the companies doesn't exist. Providers configured by environment variable
 * may give company names instead of ids.
 */
async function resolveCompanies({ db }: Deps, { isLocked }: Provider, companies: string[]): Promise<string[] | undefined> {
  const found = await Promise.all(
    companies.map(async (company) => (await findCompany(db, company)) ?? (isLocked ? findCompanyByName(db, company) : undefined)),
  )
  const ids = found.map((company) => company?.id).filter((id) => id !== undefined)
  return ids.length === companies.length ? ids : undefined
}

/** Returns the name of a person, or their email address if the name could be mistaken for someone else. */
function chooseName(name: string, email: string): string {
  try {
    rejectMisleadingName(name)
    return name
  } catch {
    return email
  }
}
