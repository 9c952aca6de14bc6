import { hiddenPassword, type SectionName, type Settings } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Entry, type Performer, record } from '../audit/audit.service.ts'
import { lockSignInMethods } from '../provider/provider.repo.ts'
import { isSameServer, sealPassword } from './mail-password.ts'
import { normalizeValues } from './normalize-values.ts'
import { findSection, saveSection } from './settings.repo.ts'
import { clearSettingsCache, computeValues, parseValues, readSection, type StoredValues } from './settings.service.ts'
import { requireProviderForAdmin } from './sign-in-methods.service.ts'

type Db = Deps['db']

/** New values of a section. Fields that are absent stay as they are; null restores the default. */
export type SectionChange<S extends SectionName> = { [F in keyof Settings[S]]?: Settings[S][F] | undefined }

/**
 * Changes a section. Throws `settings.changed` if it no longer has the version that the caller has seen, so that of two admins who save at
 * the same time, the second one can first review the changes of the other.
 */
export async function changeSection<S extends SectionName>(
  deps: Deps,
  actor: Staff,
  name: S,
  { version, values }: { version: number; values: SectionChange<S> },
) {
  await deps.db.transaction().execute(async (trx) => {
    await record(deps, trx, await applyChange(deps, trx, actor, { name, values, version }))
  })
  clearSettingsCache(deps)
  return readSection(deps, name)
}

interface Change<S extends SectionName> {
  name: S
  values: SectionChange<S>
  /** The version that the change is based on. Without it, any version is accepted. */
  version?: number
}

/** Saves a change. Call it inside a transaction. Returns the audit entries to record: one for each field that changes. */
export async function applyChange<S extends SectionName>(
  deps: Deps,
  trx: Db,
  by: Performer,
  { name, values: sent, version: expected }: Change<S>,
): Promise<Entry[]> {
  const { value, version = 0 } = (await findSection(trx, name)) ?? {}
  if (expected !== undefined && expected !== version) throw new AppError('settings.changed')
  const stored = parseValues(value)
  const before = computeValues(deps, name, stored)
  const values = normalizeValues(name, sent)
  rejectLocked(deps, name, before, values)
  const merged = mergeValues(deps, name, stored, values)
  const next = name === 'email' ? setPassword(deps, stored, merged, values['smtp_password']) : merged
  const after = computeValues(deps, name, next)
  if (name === 'links') rejectConflicts(after as Settings['links'], values)
  if (name === 'security') await requireSignInMethod(deps, trx, before as Settings['security'], after as Settings['security'])
  const fields = Object.keys(after) as (keyof Settings[S] & string)[]
  const changed = fields.filter((field) => after[field] !== before[field] || isNewPassword(field, stored, next))
  if (changed.length === 0) return []
  const row = { section: name, value: JSON.stringify(next), version }
  if (!(await saveSection(trx, row, deps.now().toISOString()))) throw new AppError('settings.changed')
  return changed.map((field) => ({
    action: 'settings.changed',
    by,
    name: `${name}.${field}`,
    note: field === 'smtp_password' ? 'changed' : `${format(before[field])} → ${format(after[field])}`,
  }))
}

const format = (value: unknown) => (value === null ? 'not set' : String(value))

const isNewPassword = (field: string, stored: StoredValues, next: StoredValues) =>
  field === 'smtp_password' && next[field] !== stored[field]

/** Throws `settings.locked` if a value differs from what the environment sets. */
function rejectLocked<S extends SectionName>({ config }: Deps, name: S, before: Settings[S], values: StoredValues) {
  const locked = Object.entries<string>(config.settings.locked[name] as Record<string, string>)
  const fields = locked
    .filter(([field]) => field in values && values[field] !== before[field as keyof Settings[S]])
    .map(([field, variable]) => ({ field: `values.${field}`, message: `The environment variable ${variable} sets this value.` }))
  if (fields.length > 0) throw new AppError('settings.locked', { fields })
}

/**
 * Merges the changes into the stored values. Leaves the password and locked fields as they are. Removes a value that is null or equals the
 * default.
 */
function mergeValues({ config }: Deps, name: SectionName, stored: StoredValues, values: StoredValues): StoredValues {
  const defaults: StoredValues = config.settings.values[name]
  const isKept = (field: string) => field === 'smtp_password' || field in config.settings.locked[name]
  const next = new Map(Object.entries(stored))
  for (const [field, value] of Object.entries(values)) {
    if (isKept(field)) continue
    if (value === null || value === defaults[field]) next.delete(field)
    else next.set(field, value)
  }
  return Object.fromEntries(next)
}

/**
 * Sets the password of the mail server. Without a new one, keeps the old one only if it is for the same server and user. Otherwise, anyone
 * who may change the settings could have it sent to their own server.
 */
function setPassword(deps: Deps, stored: StoredValues, next: StoredValues, password: unknown): StoredValues {
  if (deps.config.settings.locked.email.smtp_password) return next
  const [before, after] = [stored, next].map((values) => computeValues(deps, 'email', values)) as [Email, Email]
  const isNew = typeof password === 'string' && password !== hiddenPassword
  if (isNew) return { ...next, smtp_password: sealPassword(deps.keys, after, password) }
  if (password !== null && isSameServer(before, after)) return next
  const { smtp_password: _, ...others } = next
  return others
}

/** Throws if passwords would be turned off before an admin has signed in with a provider. */
async function requireSignInMethod(
  deps: Deps,
  trx: Db,
  before: Settings['security'],
  after: Settings['security'],
): Promise<void> {
  if (after.password_sign_in || !before.password_sign_in) return
  await lockSignInMethods(trx)
  await requireProviderForAdmin(deps, trx)
}

type Email = Settings['email']

/** Throws if new links would by default stay open longer than any link may. */
function rejectConflicts({ default_days, max_days }: Settings['links'], values: StoredValues) {
  if (max_days === null || default_days <= max_days) return
  const error =
    'max_days' in values
      ? { field: 'values.max_days', message: `This must not be less than the default of ${default_days} days.` }
      : { field: 'values.default_days', message: `This must not be more than the maximum of ${max_days} days.` }
  throw new AppError('request.invalid', { fields: [error] })
}
