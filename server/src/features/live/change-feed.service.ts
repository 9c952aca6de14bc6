import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createCallerLimits } from '../../lib/concurrency/caller-limits.ts'
import type { Requester } from '../../lib/concurrency/scan.ts'
import { findHead } from '../audit/audit.repo.ts'
import { findReader } from '../identity/ticket.service.ts'
import { createTopicFinder, mayBeVisible } from './change-topics.service.ts'
import { listChanges } from './live.repo.ts'

/** The connection of someone who listens. */
interface Connection {
  send: (event: string, data: unknown) => void
  keepAlive: () => void
  end: () => void
}

interface Listener {
  reader: Reader
  connection: Connection
  /** When the reader's access was last checked, and when the connection ends, by `performance.now()`. */
  checkedAt: number
  endsAt: number
}

/** How many audit entries are read at a time. */
const batchSize = 500
/** After how many rounds without a change a connection's access is checked, and a comment is sent to keep it open. */
const roundsPerCheck = 15

export interface Timing {
  /** How often the audit log is polled. */
  pollIntervalMs: number
  /** How long a connection stays open. Clients connect again, perhaps to another node. */
  maxConnectionMs: number
}

/**
 * Notifies listeners of changes. Every change has an entry in the audit log, so each process finds the changes of all processes and nodes
 * there, by polling its newest position every second. It doesn't poll while nobody listens.
 */
export function createChangeFeed(deps: Deps, getTiming: () => Timing) {
  const listeners = new Set<Listener>()
  /** The last audit entry that the listeners were notified of. Read when the first of them joins. */
  let position: Promise<number> | undefined
  let isRunning = false
  let isStopping = false
  return { takeSlot, join, end }

  /** Returns a function to call when the connection is closed. */
  function join(reader: Reader, connection: Connection): () => void {
    const listener = { reader, connection, checkedAt: performance.now(), endsAt: performance.now() + getTiming().maxConnectionMs }
    listeners.add(listener)
    position ??= findPosition(deps)
    position.then(
      () => open(listener),
      () => {
        position = undefined
        connection.end()
      },
    )
    return () => void listeners.delete(listener)
  }

  function open({ connection, endsAt }: Listener) {
    if (isStopping) return connection.end()
    connection.send('open', [])
    if (endsAt <= performance.now()) connection.end()
    if (!isRunning) setTimeout(run, getTiming().pollIntervalMs)
    isRunning = true
  }

  function end() {
    isStopping = true
    for (const { connection } of listeners) connection.end()
  }

  async function run() {
    const checkAccess = createAccessCheck(deps)
    try {
      await notifyListeners(checkAccess)
    } catch (err) {
      deps.log.warn({ err }, 'could not read changes for open pages')
    }
    await checkConnections(checkAccess)
    isRunning = listeners.size > 0 && !isStopping
    if (isRunning) setTimeout(run, getTiming().pollIntervalMs)
    else position = undefined
  }

  async function notifyListeners(checkAccess: CheckAccess) {
    const head = await findPosition(deps)
    let from = await position
    // A database that was restored, or that failed over to an older copy, can be behind.
    if (from !== undefined && from > head) position = Promise.resolve(head)
    for (; from !== undefined && from < head && !isStopping; from = await position)
      position = Promise.resolve((await notifyBatch(deps, [...listeners], from, checkAccess)) ?? head)
  }

  async function checkConnections(checkAccess: CheckAccess) {
    const now = performance.now()
    await forEachPaced([...listeners], async (listener) => {
      if (listener.endsAt <= now) return listener.connection.end()
      if (listener.checkedAt >= now - roundsPerCheck * getTiming().pollIntervalMs) return
      // If the check itself fails, the connection stays, because that says nothing about the access.
      if (await checkAccess(listener).catch(() => listener.reader)) listener.connection.keepAlive()
    })
  }
}

/** Notifies listeners of the next changes. Returns the position of the last one; undefined if there are none. */
async function notifyBatch(
  deps: Deps,
  listeners: Listener[],
  from: number,
  checkAccess: CheckAccess,
): Promise<number | undefined> {
  const changes = await listChanges(deps.db, from, batchSize)
  const companies = new Set(changes.map(({ company_id }) => company_id))
  const findTopics = createTopicFinder(deps, from, changes)
  const concerned = listeners.filter(({ reader }) => mayBeVisible(reader, companies))
  await forEachPaced(concerned, async (listener) => {
    try {
      if ((await findTopics(listener.reader)).length === 0) return
      const reader = await checkAccess(listener)
      const topics = reader ? await findTopics(reader) : []
      if (topics.length > 0) listener.connection.send('change', topics)
    } catch (err) {
      deps.log.warn({ err }, 'could not notify a page of changes')
      listener.connection.end() // it connects again, and loads everything
    }
  })
  const last = changes.at(-1)
  return last && Number(last.seq)
}

/** How many listeners are served before other requests get their turn. */
const listenersPerTurn = 25

async function forEachPaced(listeners: Listener[], serve: (listener: Listener) => Promise<void>): Promise<void> {
  for (const [i, listener] of listeners.entries()) {
    if (i % listenersPerTurn === listenersPerTurn - 1) await nextTurn()
    await serve(listener)
  }
}

type CheckAccess = (listener: Listener) => Promise<Reader | undefined>

/** Returns a function that reads a reader's rights again, once for each session or visit. Ends the connection if they have lost access. */
function createAccessCheck(deps: Deps): CheckAccess {
  const found = new Map<string, Promise<Reader | undefined>>()
  return async (listener) => {
    const { sessionId } = listener.reader
    const reading = found.get(sessionId) ?? findReader(deps, listener.reader)
    found.set(sessionId, reading)
    const reader = await reading
    listener.checkedAt = performance.now()
    if (reader) listener.reader = reader
    else listener.connection.end()
    return reader
  }
}

const findPosition = async ({ db }: Deps) => (await findHead(db))?.seq ?? 0

const takeSlot = ({ id, group }: Requester) => takeListenerSlot(id, group)
const takeListenerSlot = createCallerLimits(
  { total: 5000, perGroup: 2000, perCaller: 20 },
  () => new AppError('server.busy', { retryAfterSeconds: 60 }),
)
