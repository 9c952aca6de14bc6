import { Server } from 'node:net'
import { buildApp } from '../app.ts'
import type { Deps } from '../deps.ts'
import { writeQueuedEntries } from '../features/audit/audit.service.ts'
import { logCheckpoint } from '../features/audit/verify-audit.service.ts'
import { collectGarbage } from '../lib/collect-garbage.ts'
import { startBackground } from './background.ts'
import { createListenErrorHandler } from './listen.ts'

const minuteMs = 60_000
const stopTimeoutMs = 30_000
/** A worker that drains while others serve can wait for long transfers. */
const drainTimeoutMs = 10 * minuteMs
/** When to free the memory that only the start needed: 17 of 115 MiB, which V8 would otherwise keep. */
const freeMemoryAfterMs = 3_000

export type Serving = Awaited<ReturnType<typeof startServing>>

/** Builds the app and listens. Only one process on a machine runs the background tasks. */
export async function startServing(deps: Deps, { hasBackgroundTasks }: { hasBackgroundTasks: boolean }) {
  const { config } = deps
  const app = buildApp(deps)
  await app.listen({ host: config.host, port: config.port }).catch(createListenErrorHandler(config))
  if (new URL(config.publicUrl).port === '0') config.publicUrl = app.listeningOrigin // PORT=0: the port is known only now
  const auditTimer = setInterval(() => void writeQueuedEntries(deps, 'due'), minuteMs)
  const background = hasBackgroundTasks ? startBackground(deps) : undefined
  const memoryTimer = setTimeout(() => collectGarbage({ type: 'major', flavor: 'last-resort' }), freeMemoryAfterMs).unref()

  /** Finishes the requests in progress, then closes the connections that are still open at the deadline. */
  async function stop() {
    const backgroundStopped = background?.stop()
    clearInterval(auditTimer)
    clearTimeout(memoryTimer)
    // Closes keep-alive connections as soon as their reply is sent.
    const idleTimer = setInterval(() => app.server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs)
    // An unresponsive database must not keep the process alive. Everything that it has acknowledged is safe.
    setTimeout(() => process.exit(0), stopTimeoutMs + 5_000).unref()
    await app.close()
    clearInterval(idleTimer)
    clearTimeout(deadline)
    await backgroundStopped
    await logCheckpoint(deps).catch(() => undefined)
    await deps.db.destroy()
  }

  /**
   * Stops while other workers take over, without dropping a request. Open connections get their reply and are then closed, so the
   * client's next connection goes to another worker. Idle connections run into their keep-alive timeout: closing one now could drop a
   * request that is on its way.
   */
  async function drain() {
    void background?.stop()
    app.endLiveConnections()
    app.server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
    const allClosed = new Promise((resolve) => app.server.once('close', resolve))
    Server.prototype.close.call(app.server) // http.Server's own close() also closes idle connections
    const timeout = new Promise((resolve) => setTimeout(resolve, drainTimeoutMs).unref())
    await Promise.race([allClosed, timeout])
    await stop()
  }

  return { url: config.publicUrl, metrics: app.metrics, stop, drain }
}
