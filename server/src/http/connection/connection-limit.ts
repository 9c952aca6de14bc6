import { BlockList, isIPv6, type Server, type Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { toClientKey } from '../../lib/net/client-address.ts'

/** The maximum number of connections to the whole server. Node closes further ones on arrival. */
const maxConnections = 10_000

const logIntervalMs = 60_000

interface Limits {
  maxConnectionsPerAddress: number
  trustProxy: string[]
}

/**
 * Limits how many connections one client holds, so that no address can take all of them. A client is an IPv4 address or an IPv6 /64.
 * A trusted proxy holds the connections of all its clients, so it is not limited.
 */
export function limitConnections(server: Server, { maxConnectionsPerAddress, trustProxy }: Limits, log: FastifyBaseLogger) {
  server.maxConnections = maxConnections
  const proxies = createBlockList(trustProxy)
  const connectionCounts = new Map<string, number>()
  let loggedAt = Number.NEGATIVE_INFINITY
  // Runs before Node's own listener, which would start to read.
  server.prependListener('connection', (socket: Socket) => {
    if (isInNetworks(proxies, socket.remoteAddress)) return
    const client = toClientKey(socket.remoteAddress)
    const count = connectionCounts.get(client) ?? 0
    if (count >= maxConnectionsPerAddress) {
      socket.destroy()
      if (performance.now() - loggedAt < logIntervalMs) return
      loggedAt = performance.now()
      log.warn({ client, connections: count }, 'rejected a connection: this address has reached its limit')
      return
    }
    connectionCounts.set(client, count + 1)
    socket.once('close', () => {
      const left = (connectionCounts.get(client) ?? 1) - 1
      if (left > 0) connectionCounts.set(client, left)
      else connectionCounts.delete(client)
    })
  })
}

function createBlockList(networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/** Returns whether an address is in one of the networks. An IPv4-mapped IPv6 address, as on a dual-stack socket, counts as IPv4. */
const isInNetworks = (networks: BlockList, address = '') => networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
