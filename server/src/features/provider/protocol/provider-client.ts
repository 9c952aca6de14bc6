import type { Configuration, ServerMetadata } from 'openid-client'
import type { Deps } from '../../../deps.ts'
import type { Provider } from '../provider.service.ts'
import {
  discover,
  isLocal,
  isPermittedUrl,
  type KeySet,
  ProviderError,
  requestFromProvider,
  requestKeys,
} from './provider-requests.ts'

/** Loaded on demand: most processes never sign anyone in with a provider. */
let library: Promise<typeof import('openid-client')> | undefined
const loadLibrary = () => (library ??= import('openid-client'))

/** How far the clock of a provider may be off. */
export const clockToleranceSeconds = 60

/** How long an error is cached, so that not every retry sends a request. */
const errorMaxAgeMs = 2_000

/** Caches the result of a request to each provider. Concurrent readers share one request. */
function createCache<T>(request: (key: string) => Promise<T>) {
  const entries = new Map<string, { value: T; readAt: number }>()
  const running = new Map<string, Promise<T>>()
  const peek = (key: string, maxAgeMs: number): T | undefined => {
    const entry = entries.get(key)
    return entry && performance.now() - entry.readAt <= maxAgeMs ? entry.value : undefined
  }
  async function send(key: string): Promise<T> {
    try {
      const value = await request(key)
      entries.set(key, { value, readAt: performance.now() })
      running.delete(key)
      return value
    } catch (error) {
      setTimeout(() => running.delete(key), errorMaxAgeMs).unref()
      throw error
    }
  }
  return {
    peek,
    async read(key: string, maxAgeMs: number): Promise<T> {
      const known = peek(key, maxAgeMs)
      if (known !== undefined) return known
      const pending = running.get(key) ?? send(key)
      running.set(key, pending)
      return pending
    },
  }
}

const metadataCache = createCache(async (issuer) => (await discover(issuer)).metadata)
const keyCache = createCache(async (issuer) => requestKeys(await metadataCache.read(issuer, hourMs)))

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Returns the metadata of a provider, at most an hour old. */
export const readMetadata = (issuer: string): Promise<ServerMetadata> => metadataCache.read(issuer, hourMs)

/** Returns the keys of a provider, at most `maxAgeMs` old. */
export const readKeys = (issuer: string, maxAgeMs: number): Promise<KeySet> => keyCache.read(issuer, maxAgeMs)

/**
 * Opens a client of a provider. At the start of a sign-in (`isStart`), the metadata is at most a minute old, so that people get a clear
 * error if the provider can't be reached.
 */
export async function openClient(deps: Deps, provider: Provider, { isStart = false } = {}) {
  const { issuer } = provider
  const [lib, metadata] = await Promise.all([loadLibrary(), metadataCache.read(issuer, isStart ? minuteMs : hourMs)])
  const options = {
    [lib.clockSkew]: Math.round((deps.now().getTime() - Date.now()) / 1000),
    [lib.clockTolerance]: clockToleranceSeconds,
  }
  const config = new lib.Configuration(
    metadata,
    provider.clientId,
    options,
    createClientAuth(lib, metadata, provider.readSecret()),
  )
  if (isLocal(issuer)) lib.allowInsecureRequests(config)
  lib.enableNonRepudiationChecks(config) // otherwise the signature of an ID token from the token endpoint would not be checked
  config[lib.customFetch] = createFetch(metadata)
  const keys = keyCache.peek(issuer, 5 * minuteMs)
  // Passes the keys as over a minute old. Only then does the library request new ones if none matches: the provider may rotate its keys.
  if (keys) lib.setJwksCache(config, { jwks: keys as never, uat: Math.floor(Date.now() / 1000) - 61 })
  return { lib, config: config as Configuration, metadata }
}

type Library = Awaited<ReturnType<typeof loadLibrary>>

/** Chooses how Neptune authenticates to the provider. Without a list, providers support HTTP Basic (OpenID Connect Discovery). */
function createClientAuth(lib: Library, metadata: ServerMetadata, secret: string | undefined) {
  if (secret === undefined) return lib.None()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? lib.ClientSecretBasic(secret) : lib.ClientSecretPost(secret)
}

const createFetch =
  ({ issuer, jwks_uri }: ServerMetadata) =>
  async (url: string, options: object): Promise<Response> => {
    if (url === jwks_uri) return Response.json(await readKeys(issuer, 0))
    if (!isPermittedUrl(url, issuer)) throw new ProviderError('insecure', `${url} doesn’t start with https://.`)
    return requestFromProvider(url, options)
  }
