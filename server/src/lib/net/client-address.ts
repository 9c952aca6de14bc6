import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns the key by which rate limits identify a client: an IPv4 address, or an IPv6 /64, because one subscriber usually has a
 * whole /64. An IPv4-mapped IPv6 address counts as IPv4. Everything else counts as one client, `unknown`; a connection that broke has
 * no address.
 */
export function toClientKey(address: string | undefined): string {
  const plain = removePort(address ?? '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
  if (isIPv6(plain)) return `${expandGroups(plain).slice(0, 4).join(':')}::/64`
  return isIPv4(plain) ? plain : 'unknown'
}

/** Removes the port, which some proxies add and which changes with every connection. */
const removePort = (address: string) => address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')

/** Returns the eight groups of an IPv6 address, without leading zeros. */
function expandGroups(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after].map((group) =>
    group.toLowerCase().replace(/^0+(?=.)/, ''),
  )
}
