import type { User } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { hashPassword, newPassword } from '../../lib/passwords.ts'
import { newId } from '../../lib/secrets.ts'
import { insertCompany } from '../company/company.repo.ts'
import { claimFirstRun, hasUsers, insertUser, type UserRecord } from './user.repo.ts'

/** E-mails are compared as people mean them: whatever the case, and without the space a paste brings along. */
export const normalEmail = (email: string) => email.trim().toLowerCase()

export interface FirstAdmin {
  email: string
  password: string
  /** Set by the operator, who knows it; otherwise it is random. */
  isOwn: boolean
}

/**
 * Makes the first admin, and a company for them, once in the life of a database; true when it did. Safe when two nodes start at
 * once: only one of them can claim the first run. The password is announced before the admin is there for good, so that a crash
 * in between costs a second announcement, never an admin whose password nobody saw.
 */
export async function createFirstAdmin(deps: Deps, announce: (admin: FirstAdmin) => void): Promise<boolean> {
  const { adminEmail: email, adminPassword } = deps.config
  if (await hasUsers(deps.db)) return false
  const password = adminPassword ?? newPassword()
  const password_hash = await hashPassword(password)
  const created_at = deps.now().toISOString()
  const company = { id: newId(), name: 'Neptune', created_at }
  return deps.db.transaction().execute(async (trx) => {
    if (!(await claimFirstRun(trx, created_at))) return false
    await insertCompany(trx, company)
    const admin = { id: newId(), company_id: company.id, name: 'Administrator', email, role: 'NEPTUNE_ADMIN' as const }
    await insertUser(trx, { ...admin, password_hash, generation: 0, suspended_at: null, created_at })
    announce({ email, password, isOwn: adminPassword !== undefined })
    return true
  })
}

export const toUser = (row: UserRecord): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  company: row.company_id,
  company_name: row.company_name,
  role: row.role,
})
