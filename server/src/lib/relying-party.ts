import { isIPv4 } from 'node:net'

/** The server as WebAuthn sees it. Passkeys belong to its id, and browsers use them only on pages of its origin. */
export interface RelyingParty {
  id: string
  origin: string
  /** Why browsers don't allow passkeys at this address. Null if they do. */
  obstacle: 'not_https' | 'ip_address' | null
}

/** Returns the relying party. It depends on PUBLIC_URL only, never on a request header, which anyone may have set. */
export function getRelyingParty({ publicUrl }: { publicUrl: string }): RelyingParty {
  const { hostname: id, origin, protocol } = new URL(publicUrl)
  const isLocal = id === 'localhost' || id.endsWith('.localhost')
  const isAddress = isIPv4(id) || id.startsWith('[')
  return { id, origin, obstacle: isAddress ? 'ip_address' : protocol !== 'https:' && !isLocal ? 'not_https' : null }
}

/** Returns the host whose passkeys work. Undefined if none do. */
export function getPasskeyHost(config: { publicUrl: string }): string | undefined {
  const { id, obstacle } = getRelyingParty(config)
  return obstacle === null ? id : undefined
}
