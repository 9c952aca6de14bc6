import { type api, hiddenPassword, type NewPerson, type Parsed, type ProviderRow, type ProviderRules } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { countExistingCompanies } from '../company/company.repo.ts'
import { requireProviderWithoutPasswords } from '../settings/sign-in-methods.service.ts'
import {
  deleteProvider,
  findProviderRow,
  insertProvider,
  listProviderRows,
  lockSignInMethods,
  type ProviderRecord,
  updateProvider,
} from './provider.repo.ts'
import { findProvider, listProviders, type Provider, providersVariable, sealClientSecret } from './provider.service.ts'
import { readLastUses } from './provider-account.repo.ts'

type Db = Deps['db']

const maxProviders = 50

/** Returns the URIs to register at every provider. */
export const getProviderUris = ({ config }: Deps) => ({
  redirect_uri: `${config.publicUrl}/v1/identity/provider/callback`,
  post_logout_redirect_uri: `${config.publicUrl}/login`,
})

export async function listProviderDetails(deps: Deps): Promise<ProviderRow[]> {
  const [providers, lastUses] = [await listProviders(deps), await readLastUses(deps.db)]
  return providers.map((provider) => toRow(deps, provider, lastUses))
}

const toRow = ({ config }: Deps, provider: Provider, lastUses: Map<string, string | null>): ProviderRow => ({
  id: provider.id,
  name: provider.name,
  issuer: provider.issuer,
  client_id: provider.clientId,
  client_secret: provider.hasSecret ? hiddenPassword : null,
  rules: provider.rules,
  version: provider.version,
  disabled_at: provider.disabledAt,
  locked: provider.isLocked ? providersVariable : null,
  last_used_at: lastUses.get(provider.issuer) ?? null,
  logout_uri: `${config.publicUrl}/v1/identity/provider/${provider.id}/logout`,
})

export async function createProvider(deps: Deps, actor: Staff, body: Parsed<typeof api.provider.create>['body']) {
  const created_at = deps.now().toISOString()
  const { name, issuer, client_id, client_secret } = body
  const row: ProviderRecord = {
    id: newId(),
    name: name.trim(),
    issuer,
    client_id,
    client_secret: client_secret ? sealClientSecret(deps.keys, { issuer, client_id }, client_secret) : null,
    rules: JSON.stringify(normalizeRules(body.rules)),
    version: 1,
    created_at,
    disabled_at: body.disabled ? created_at : null,
  }
  await deps.db.transaction().execute(async (trx) => {
    await requireCompanies(trx, body.rules)
    if ((await listProviderRows(trx)).length >= maxProviders) throw new AppError('provider.too_many')
    await insertProvider(trx, row)
    await record(deps, trx, [{ action: 'provider.created', by: actor, name: row.name, note: issuer }])
  })
  return requireRow(deps, row.id)
}

/**
 * Changes a provider. Throws `settings.changed` if it no longer has the version that the caller has seen. The secret is kept only for the
 * same issuer and client. Otherwise, anyone who may change providers could have it sent to their own server.
 */
export async function changeProvider(
  deps: Deps,
  actor: Staff,
  id: string,
  { version, ...change }: Parsed<typeof api.provider.change>['body'],
) {
  rejectLocked(deps, id)
  await changeSignInMethods(deps, async (trx) => {
    const before = await findProviderRow(trx, id)
    if (!before) throw new AppError('provider.not_found')
    if (before.version !== version) throw new AppError('settings.changed')
    if (change.rules) await requireCompanies(trx, change.rules)
    const after = applyChange(deps, before, change)
    if (!(await updateProvider(trx, after))) throw new AppError('settings.changed')
    const fields = (Object.keys(after) as (keyof ProviderRecord)[]).filter((field) => after[field] !== before[field])
    const note = fields.join(', ')
    return fields.length > 0 ? [{ action: 'provider.changed' as const, by: actor, name: after.name, note }] : []
  })
  return requireRow(deps, id)
}

function applyChange(
  deps: Deps,
  before: ProviderRecord,
  { name, issuer, client_id, client_secret, rules, disabled }: Omit<Parsed<typeof api.provider.change>['body'], 'version'>,
): ProviderRecord {
  const after = {
    ...before,
    name: name?.trim() ?? before.name,
    issuer: issuer ?? before.issuer,
    client_id: client_id ?? before.client_id,
    rules: rules ? JSON.stringify(normalizeRules(rules)) : before.rules,
  }
  if (disabled !== undefined) after.disabled_at = disabled ? (before.disabled_at ?? deps.now().toISOString()) : null
  const isSameClient = after.issuer === before.issuer && after.client_id === before.client_id
  const isNew = typeof client_secret === 'string' && client_secret !== hiddenPassword
  if (isNew) return { ...after, client_secret: sealClientSecret(deps.keys, after, client_secret) }
  return client_secret !== null && isSameClient ? after : { ...after, client_secret: null }
}

export async function removeProvider(deps: Deps, actor: Staff, id: string): Promise<void> {
  rejectLocked(deps, id)
  await changeSignInMethods(deps, async (trx) => {
    const row = await findProviderRow(trx, id)
    if (!row || !(await deleteProvider(trx, id))) throw new AppError('provider.not_found')
    return [{ action: 'provider.deleted' as const, by: actor, name: row.name, note: row.issuer }]
  })
}

/** Runs a change of providers in a transaction. Rolls it back if it would leave no way to sign in. */
const changeSignInMethods = (deps: Deps, change: (trx: Db) => Promise<Parameters<typeof record>[2]>): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    await lockSignInMethods(trx)
    const entries = await change(trx)
    await requireProviderWithoutPasswords(deps, trx)
    await record(deps, trx, entries)
  })

function rejectLocked({ config }: Deps, id: string): void {
  if (config.providers.some((provider) => provider.id === id)) throw new AppError('provider.locked')
}

async function requireRow(deps: Deps, id: string): Promise<ProviderRow> {
  const provider = await findProvider(deps, id)
  if (!provider) throw new AppError('provider.not_found')
  return toRow(deps, provider, await readLastUses(deps.db))
}

const normalizeRules = (rules: ProviderRules): ProviderRules => ({
  ...rules,
  domains: [...new Set(rules.domains.map((domain) => domain.toLowerCase()))],
})

/** Throws `company.not_found` if the rules name a company that doesn't exist. */
async function requireCompanies(trx: Db, { create, claim }: ProviderRules): Promise<void> {
  const people: NewPerson[] = [...(create ? [create] : []), ...(claim?.values ?? []).map(({ gives }) => gives)]
  const companies = [...new Set(people.flatMap(({ company, companies = [] }) => [company, ...companies]))]
  if ((await countExistingCompanies(trx, companies)) < companies.length) throw new AppError('company.not_found')
}
