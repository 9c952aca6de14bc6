import { Server } from 'node:net'
import { buildApp } from './app.ts'
import { startBackground } from './background.ts'
import type { Deps } from './deps.ts'
import { writeNotes } from './features/audit/audit.service.ts'
import { tellCheckpoint } from './features/audit/trail.service.ts'
import { collectGarbage } from './lib/garbage.ts'
import { refuseListen } from './listen.ts'

const minute = 60_000
const drainFor = 30_000
/** Who leaves while others serve is in no hurry: long transfers may come to their end. */
const leaveFor = 10 * minute
/** After this long, whatever only the start needed is not needed any more: 17 of 115 MiB, which V8 would keep for what may come. */
const settledAfter = 3_000

export type Serving = Awaited<ReturnType<typeof startServing>>

/** A process that serves: app → listen, and what goes on beside if it is the first one. */
export async function startServing(deps: Deps, { isFirst }: { isFirst: boolean }) {
  const { config } = deps
  const app = buildApp(deps)
  await app.listen({ host: config.host, port: config.port }).catch(refuseListen(config))
  if (new URL(config.publicUrl).port === '0') config.publicUrl = app.listeningOrigin // nobody could say it before
  const noting = setInterval(() => void writeNotes(deps, 'due'), minute)
  const background = isFirst ? startBackground(deps) : undefined
  const settling = setTimeout(() => collectGarbage({ type: 'major', flavor: 'last-resort' }), settledAfter).unref()

  /** Finishes what is in flight, and cuts at last what never ends. */
  async function stop() {
    const isQuiet = background?.stop()
    clearInterval(noting)
    clearTimeout(settling)
    // A connection kept alive is closed as soon as its answer is out; one that never ends is cut at last.
    const idle = setInterval(() => app.server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => app.server.closeAllConnections(), drainFor)
    // A database that does not answer must not keep us; what it has acknowledged is safe.
    setTimeout(() => process.exit(0), drainFor + 5_000).unref()
    await app.close()
    clearInterval(idle)
    clearTimeout(deadline)
    await isQuiet
    await tellCheckpoint(deps).catch(() => undefined)
    await deps.db.destroy()
  }

  /**
   * The same while others serve in our place. Nobody is turned away: whoever is connected is served, and comes by a new connection the next
   * time, which another process takes. A connection without a request ends by itself, rather than while one may be on its way.
   */
  async function leave() {
    void background?.stop()
    app.server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
    const isEmpty = new Promise((resolve) => app.server.once('close', resolve))
    Server.prototype.close.call(app.server) // its own would cut connections that are idle
    const late = new Promise((resolve) => setTimeout(resolve, leaveFor).unref())
    await Promise.race([isEmpty, late])
    await stop()
  }

  return { url: config.publicUrl, metrics: app.metrics, stop, leave }
}
