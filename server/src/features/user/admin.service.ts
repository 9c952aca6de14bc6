import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { rejectWeakPassword } from '../../lib/password/password-rules.ts'
import { hashPassword } from '../../lib/password/passwords.ts'
import { newId } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { findFirstCompany } from '../company/company.repo.ts'
import { rejectMisleadingName } from './person-name.ts'
import { findFirstAdmin, insertUser } from './user.repo.ts'

/**
 * Creates another admin, from the command line. They join the company of the first admin or, without one, the first company.
 * Returns the name of that company.
 */
export async function addAdmin(deps: Deps, { email, name, password }: { email: string; name: string; password: string }) {
  const first = await findFirstAdmin(deps.db)
  const company = first ? { id: first.company_id, name: first.company_name } : await findFirstCompany(deps.db)
  if (!company) throw new AppError('company.not_found')
  rejectMisleadingName(name)
  rejectWeakPassword('password', password, [name, email, company.name])
  const row = {
    id: newId(),
    company_id: company.id,
    name: name.trim(),
    email: normalizeEmail(email),
    role: 'NEPTUNE_ADMIN' as const,
    password_hash: await hashPassword(password),
    generation: 0,
    suspended_at: null,
    created_at: deps.now().toISOString(),
  }
  await deps.db.transaction().execute(async (trx) => {
    if (!(await insertUser(trx, row))) throw new AppError('user.email_taken')
    await record(deps, trx, [
      { action: 'user.created', by: { kind: 'operator' }, company: company.id, name: row.email, note: row.role },
    ])
  })
  return company.name
}
