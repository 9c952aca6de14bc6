import type { Factors, Role, SecondFactor } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { hasPassword } from '../../lib/password/passwords.ts'
import { readSettings } from '../settings/settings.service.ts'

const confirmationMs = 15 * 60_000

/** Returns whether someone confirmed their identity recently enough for a sensitive call. */
export const isConfirmed = ({ now }: Deps, { confirmed_at }: { confirmed_at: string | null }): boolean =>
  confirmed_at !== null && now().getTime() - Date.parse(confirmed_at) <= confirmationMs

/** Returns whether the organisation requires a second factor of people with this role, and from which day on. */
export async function readFactorPolicy(deps: Deps, role: Role): Promise<{ isRequired: boolean; from: string | null }> {
  const { second_factor, second_factor_from } = (await readSettings(deps)).security
  const isRequired = second_factor === 'everyone' || (second_factor === 'admins' && role === 'NEPTUNE_ADMIN')
  const isLater = second_factor_from !== null && second_factor_from > deps.now().toISOString().slice(0, 10)
  return { isRequired, from: isLater ? second_factor_from : null }
}

/** Throws `session.password_off` if people can't sign in with a password. Call it before anything that depends on the account. */
export async function requirePasswordSignIn(deps: Deps): Promise<void> {
  if (!(await readSettings(deps)).security.password_sign_in) throw new AppError('session.password_off')
}

/** Returns whether someone has a password that they can sign in with. */
export async function readPasswordState(deps: Deps, { password_hash }: { password_hash: string }): Promise<Factors['password']> {
  if (!(await readSettings(deps)).security.password_sign_in) return 'off'
  return hasPassword(password_hash) ? 'set' : 'none'
}

interface Enrollment {
  role: Role
  /** When the user set up their second factor; null if they have none. */
  second_factor_at: string | null
  /** The second factor that was used to sign in. */
  second_factor: SecondFactor | null
}

/** Returns whether someone must set up a second factor before they can do anything else. */
export async function mustEnroll(deps: Deps, { role, second_factor_at, second_factor }: Enrollment): Promise<boolean> {
  if (second_factor_at !== null || second_factor === 'provider') return false
  const { isRequired, from } = await readFactorPolicy(deps, role)
  return isRequired && from === null
}
