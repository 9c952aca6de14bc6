import { Socket } from 'node:net'
import { PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'

export interface PostgresOptions {
  /** The maximum number of connections of this process. */
  poolSize?: number
  /** For long-running work such as a migration or a backup, without the timeouts for requests. */
  hasNoTimeouts?: boolean
  /** Whether the process may exit while connections are open but unused. For tests. */
  canExitWhileIdle?: boolean
}

/**
 * Runs Kysely's PostgreSQL dialect on connections with timeouts. Parameters in the URL, such as `?statement_timeout=…`, take precedence.
 */
export function createPostgresDialect(url: string, options: PostgresOptions): PostgresDialect {
  const { poolSize = 10, hasNoTimeouts = false, canExitWhileIdle = false } = options
  types.setTypeParser(types.builtins.INT8, Number) // exact, because sizes and counts stay far below 2^53
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    // Identifies our connections in pg_stat_activity.
    application_name: 'neptune',
    // Acknowledged writes survive a power failure, whatever the server's default. The keepalives release the row locks of a node that
    // vanished; by default the server would notice after two hours.
    options: '-c synchronous_commit=on -c tcp_keepalives_idle=60 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=6',
    // How long to wait for a connection. After this it is better to reject the request.
    connectionTimeoutMillis: 5_000,
    // After a failover the host name points to another server. Old connections end within this time.
    maxLifetimeSeconds: 60,
    // Some networks drop idle connections, for example during one long statement.
    keepAlive: true,
    allowExitOnIdle: canExitWhileIdle,
    ...(hasNoTimeouts ? {} : timeouts),
  })
  // The pool replaces a broken connection at its next use. Without listeners the error would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new PostgresDialect({ pool })
}

const timeouts = {
  // No query takes this long, unless something is wrong with the server.
  statement_timeout: 15_000,
  // Row locks last for milliseconds. A longer wait means that their holder hangs.
  lock_timeout: 10_000,
  // If this process hangs in a transaction, its locks are released, above all the one on the head of the audit log.
  idle_in_transaction_session_timeout: 30_000,
  // A server that vanished enforces no timeouts. So a connection that is silent for longer than they allow counts as broken.
  stream: () => {
    const socket = new Socket()
    return socket.setTimeout(20_000, () => socket.destroy())
  },
}
