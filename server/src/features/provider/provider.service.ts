import type { ProviderRules, SignInProvider } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type Keys, seal, unseal } from '../../lib/secrets.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findProviderRow, listProviderRows, type ProviderRecord } from './provider.repo.ts'

/** The environment variable that sets providers. */
export const providersVariable = 'OIDC_PROVIDERS'

/** A provider from the database or the environment. */
export interface Provider {
  id: string
  name: string
  issuer: string
  clientId: string
  /** Undefined for a public client. */
  readSecret: () => string | undefined
  hasSecret: boolean
  rules: ProviderRules
  version: number
  disabledAt: string | null
  isLocked: boolean
}

/** Lists all providers: those in the environment first. */
export async function listProviders(deps: Deps): Promise<Provider[]> {
  const rows = await listProviderRows(deps.db)
  return [...listEnvironmentProviders(deps), ...rows.map((row) => toProvider(deps, row))]
}

/** Returns a provider that people can sign in with. Undefined if it doesn't exist or is disabled. */
export async function findEnabledProvider(deps: Deps, id: string): Promise<Provider | undefined> {
  const provider = await findProvider(deps, id)
  return provider?.disabledAt === null ? provider : undefined
}

export async function findProvider(deps: Deps, id: string): Promise<Provider | undefined> {
  const locked = listEnvironmentProviders(deps).find((provider) => provider.id === id)
  if (locked) return locked
  const row = await findProviderRow(deps.db, id)
  return row && toProvider(deps, row)
}

/** Returns how people can sign in, for the login page. */
export async function readSignInOptions(deps: Deps): Promise<{ providers: SignInProvider[]; password: boolean }> {
  const providers = (await listProviders(deps)).filter(({ disabledAt }) => disabledAt === null)
  const { password_sign_in } = (await readSettings(deps)).security
  return { providers: providers.map(({ id, name }) => ({ id, name })), password: password_sign_in }
}

const listEnvironmentProviders = ({ config }: Deps): Provider[] =>
  config.providers.map(({ id, name, issuer, client_id, client_secret, rules }) => ({
    id,
    name,
    issuer,
    clientId: client_id,
    readSecret: () => client_secret,
    hasSecret: client_secret !== undefined,
    rules,
    version: 0,
    disabledAt: null,
    isLocked: true,
  }))

const toProvider = ({ keys }: Deps, row: ProviderRecord): Provider => ({
  id: row.id,
  name: row.name,
  issuer: row.issuer,
  clientId: row.client_id,
  readSecret: () => (row.client_secret === null ? undefined : unseal(keys.seal, describeClient(row), row.client_secret)),
  hasSecret: row.client_secret !== null,
  rules: JSON.parse(row.rules) as ProviderRules,
  version: row.version,
  disabledAt: row.disabled_at,
  isLocked: false,
})

type Client = Pick<ProviderRecord, 'issuer' | 'client_id'>

/**
 * Encrypts a client secret. It can be decrypted for the same issuer and client only: someone who can write to the database, but doesn't
 * have the secret key, can't make Neptune send the secret elsewhere.
 */
export const sealClientSecret = ({ seal: key }: Keys, client: Client, secret: string) => seal(key, describeClient(client), secret)

const describeClient = ({ issuer, client_id }: Client) => JSON.stringify(['provider', issuer, client_id])
