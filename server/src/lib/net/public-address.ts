import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Address ranges that are not public (RFC 6890): loopback, private, link-local, multicast, documentation and reserved. */
const reserved = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  addNetwork(reserved, network, 'ipv4')
// Within 2000::/3: IETF protocol assignments, documentation and 6to4, which embeds IPv4.
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) addNetwork(reserved, network, 'ipv6')

/** The only allocated range of global unicast IPv6 addresses. */
const allocated = new BlockList()
addNetwork(allocated, '2000::/3', 'ipv6')

/** IPv4-mapped addresses and the NAT64 prefix: both embed an IPv4 address. */
const embedding = new BlockList()
for (const network of ['::ffff:0:0/96', '64:ff9b::/96']) addNetwork(embedding, network, 'ipv6')

function addNetwork(list: BlockList, network: string, family: 'ipv4' | 'ipv6') {
  const [address = '', bits] = network.split('/')
  list.addSubnet(address, Number(bits), family)
}

/** Returns whether an address is public. Requests to others could reach services that only this server has access to (SSRF). */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  const embedded = embedding.check(address, 'ipv6') ? extractIPv4(address) : undefined
  if (embedded !== undefined) return isPublicAddress(embedded)
  return allocated.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

/** Returns the IPv4 address in the last 32 bits. */
function extractIPv4(address: string): string {
  const [, dotted] = /:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? []
  if (dotted) return dotted
  // In `a::` and `a::b`, some of the last groups are empty.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
