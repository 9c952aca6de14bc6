import { isIPv4, isIPv6 } from 'node:net'

/**
 * What counts as one client when tries are counted: an IPv4 address, or an IPv6 /64, since whoever has one address there has
 * all of its 2^64 neighbours. IPv4 written as IPv6 counts as IPv4, and everything that is no address as one client: also who has none any more,
 * because the connection broke.
 */
export function clientOf(address: string | undefined): string {
  const plain = withoutPort(address ?? '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
  if (isIPv6(plain)) return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
  return isIPv4(plain) ? plain : 'unknown'
}

/** Some proxies write the port as well, and it changes with every connection. */
const withoutPort = (address: string) => address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after].map((group) =>
    group.toLowerCase().replace(/^0+(?=.)/, ''),
  )
}
