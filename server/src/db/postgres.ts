import { Socket } from 'node:net'
import { PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'

export interface PostgresOptions {
  /** How many connections this process may have. */
  poolSize?: number
  /** For work that takes as long as it takes, a migration or a backup: without the limits of requests. */
  hasNoTimeouts?: boolean
}

/** Kysely's own dialect, on connections that never make anybody wait for long. What the address itself says, `?statement_timeout=…`, holds. */
export function postgresDialect(url: string, { poolSize = 10, hasNoTimeouts = false }: PostgresOptions): PostgresDialect {
  types.setTypeParser(types.builtins.INT8, Number) // sizes and counts fit a double long before they fit a disk
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    // Whoever looks at the server sees whose connections these are.
    application_name: 'neptune',
    // What was acknowledged is on disk, even when the power fails, whatever the server does for others. And a machine of ours that is
    // gone without a word does not hold rows for the two hours after which the server would ask by itself.
    options: '-c synchronous_commit=on -c tcp_keepalives_idle=60 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=6',
    // For a new connection, and for one that is free: longer than this a request is better refused.
    connectionTimeoutMillis: 5_000,
    // A name may lead to another server after a failover: so nobody stays with the old one for longer.
    maxLifetimeSeconds: 60,
    // Networks forget connections on which nothing is said for long, as during one long statement.
    keepAlive: true,
    ...(hasNoTimeouts ? {} : limits),
  })
  // A connection that breaks, idle or in use, is replaced at the next use; without listeners it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new PostgresDialect({ pool })
}

const limits = {
  // No question of ours takes so long, unless something is wrong with the server.
  statement_timeout: 15_000,
  // Rows are held for milliseconds: who waits longer than this waits for somebody who hangs.
  lock_timeout: 10_000,
  // And if that is us, stopped in the middle of a transaction, the others get our rows: above all the end of the trail.
  idle_in_transaction_session_timeout: 30_000,
  // A server that went without a word keeps no limits. One from which nothing comes for longer than they allow is taken for gone.
  stream: () => {
    const socket = new Socket()
    return socket.setTimeout(20_000, () => socket.destroy())
  },
}
