import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** What is no place of others on the internet: this machine, its network, clouds' own services, groups, examples, what is reserved. */
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
// Within 2000::/3: protocols' own, examples, and IPv4 in disguise.
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) addNetwork(reserved, network, 'ipv6')

/** Nearly all of IPv6 is not given out yet; what is given out to anybody is here. */
const givenOut = new BlockList()
addNetwork(givenOut, '2000::/3', 'ipv6')

/** IPv4 written as IPv6, and as networks without IPv4 reach it. */
const carriers = new BlockList()
for (const network of ['::ffff:0:0/96', '64:ff9b::/96']) addNetwork(carriers, network, 'ipv6')

function addNetwork(list: BlockList, network: string, family: 'ipv4' | 'ipv6') {
  const [address = '', bits] = network.split('/')
  list.addSubnet(address, Number(bits), family)
}

/** Whether an address is somebody's on the internet, so that whoever names it cannot reach through us what only we can. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  const carried = carriers.check(address, 'ipv6') ? lastFour(address) : undefined
  if (carried !== undefined) return isPublicAddress(carried)
  return givenOut.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

/** The IPv4 address in the last 32 bits. */
function lastFour(address: string): string {
  const [, dotted] = /:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? []
  if (dotted) return dotted
  // `a::`, as well as `a::b`, ends in groups that are nothing.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
