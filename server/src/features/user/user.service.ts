import type { User } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { hashPassword, newPassword } from '../../lib/passwords.ts'
import { newId } from '../../lib/secrets.ts'
import { insertCompany } from '../company/company.repo.ts'
import { claimFirstRun, hasUsers, insertUser, type UserRecord } from './user.repo.ts'

/** E-mails are compared as people mean them: whatever the case, and without the space a paste brings along. */
export const normalEmail = (email: string) => email.trim().toLowerCase()

/**
 * Makes the first admin, and a company for them, once in the life of a database. Answers how to sign in the first time and
 * undefined ever after. Safe when two nodes start at once: only one of them can claim the first run.
 */
export async function createFirstAdmin(deps: Deps): Promise<{ email: string; password: string; isOwn: boolean } | undefined> {
  const { adminEmail: email, adminPassword } = deps.config
  if (await hasUsers(deps.db)) return undefined
  const password = adminPassword ?? newPassword()
  const password_hash = await hashPassword(password)
  const created_at = deps.now().toISOString()
  const company = { id: newId(), name: 'Neptune', created_at }
  const isFirst = await deps.db.transaction().execute(async (trx) => {
    if (!(await claimFirstRun(trx, created_at))) return false
    await insertCompany(trx, company)
    const admin = { id: newId(), company_id: company.id, name: 'Administrator', email, role: 'NEPTUNE_ADMIN' as const }
    await insertUser(trx, { ...admin, password_hash, generation: 0, suspended_at: null, created_at })
    return true
  })
  return isFirst ? { email, password, isOwn: adminPassword !== undefined } : undefined
}

export const toUser = (row: UserRecord): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  company: row.company_id,
  company_name: row.company_name,
  role: row.role,
})
