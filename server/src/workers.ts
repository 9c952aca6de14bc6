import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { labelled, listenForMetrics, textOf } from './http/metrics.ts'
import { refuseListen } from './listen.ts'
import { StartError } from './start-error.ts'
import { createQuestions, type Measured, type Order, type Word } from './worker-words.ts'

interface Member {
  number: number
  worker: Worker
  isReady: boolean
  ready: Promise<string>
  exited: Promise<End>
}

interface End {
  code: number | null
  signal: string | null
}

/** A little longer than a worker takes to cut what never ends. */
const stopWithin = 40_000
const deathsRemembered = 60_000

/**
 * The first process serves nothing itself. It makes the workers, puts another one in the place of each that dies, and ends when they have.
 * They share its port, and each takes connections from it by itself: so none is refused while a worker is replaced, and none that was on
 * its way to a worker that dies is left hanging.
 */
export async function startWorkers(config: Config, log: Deps['log']) {
  /** Who serves, by number. One that leaves is not among them any more. */
  const serving = new Map<number, Member>()
  const alive = new Set<Member>()
  let deaths: { number: number; at: number }[] = []
  const questions = createQuestions<Measured>()
  let isStarted = false
  let isStopping = false

  cluster.schedulingPolicy = cluster.SCHED_NONE

  function launch(number: number): Member {
    cluster.setupPrimary({ exec: join(import.meta.dirname, 'main.ts'), args: [String(number)] })
    const cache = getCompileCacheDir()
    const worker = cluster.fork(cache ? { NODE_COMPILE_CACHE: cache } : {})
    const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
    const silent = once(worker, 'disconnect') // what it said last may come after its end
    const exited = once(worker, 'exit').then(async ([code, signal]): Promise<End> => {
      await silent
      reject(new StartError(`Worker ${number} ended before it served (${signal ?? code}).`))
      return { code, signal }
    })
    ready.catch(() => undefined) // also told by its end
    const member: Member = { number, worker, isReady: false, ready, exited }
    alive.add(member)
    worker.on('message', (word: Word) => {
      if (word.is === 'ready') {
        member.isReady = true
        resolve(word.url)
      }
      if (word.is === 'failed') reject(new StartError(word.why))
      if (word.is === 'measured') questions.answer(word.id, word.measured)
      if (word.is === 'asked') void metrics().then((text) => tell(member, { do: 'hear', id: word.id, text }))
    })
    void exited.then((end) => {
      const hasServed = member.isReady || isStarted // one that cannot even start, at first, stops the start
      member.isReady = false
      alive.delete(member)
      if (hasServed && !isStopping && serving.get(number) === member) void replace(member, end)
    })
    return member
  }

  /** At once; one that dies again and again, after a pause that grows. */
  async function replace(dead: Member, end: End) {
    const { number, ready } = dead
    const now = performance.now()
    deaths = [...deaths.filter(({ at }) => now - at < deathsRemembered), { number, at: now }]
    const lately = deaths.filter((death) => death.number === number).length
    const pause = lately > 1 ? Math.min(1000 * 2 ** (lately - 2), 30_000) : 0
    const why = await ready.then(
      () => undefined,
      (error: Error) => error.message,
    )
    log.error({ worker: number, ...end, why, pause }, 'a worker ended: another takes its place')
    await wait(pause)
    if (!isStopping && serving.get(number) === dead) serving.set(number, launch(number))
  }

  /** Each in its turn: the new one serves before the old one leaves. If one cannot start, the others stay as they are. */
  async function roll() {
    for (const number of serving.keys()) {
      if (isStopping) return
      const next = launch(number)
      try {
        await next.ready
      } catch (err) {
        next.worker.process.kill('SIGKILL')
        if (isStopping) return
        log.error({ err, worker: number }, 'a new worker cannot start: the workers stay as they are')
        return
      }
      const old = serving.get(number)
      serving.set(number, next)
      if (old) tell(old, { do: 'leave' })
      log.info({ worker: number }, 'a worker was replaced')
    }
  }

  async function stop() {
    isStopping = true
    const ends = [...alive].map(async (member) => {
      tell(member, { do: 'stop' })
      const timer = setTimeout(() => member.worker.process.kill('SIGKILL'), stopWithin)
      const { code } = await member.exited
      clearTimeout(timer)
      return code === 0
    })
    if ((await Promise.all(ends)).includes(false)) throw new Error('A worker did not end well')
  }

  async function metrics(): Promise<string> {
    const members = [...serving.values()].filter(({ isReady }) => isReady)
    const answers = members.map(async (member, i) => {
      const isAll = i === 0
      const measured = await questions.ask((id) => tell(member, { do: 'measure', id, isAll })).catch(() => undefined)
      return measured ? [{ worker: member.number, ...measured }] : []
    })
    const parts = (await Promise.all(answers)).flat()
    const own = labelled(parts.map(({ worker, ofProcess }) => ({ worker, readings: ofProcess })))
    return textOf([...own, ...parts.flatMap(({ ofAll }) => ofAll)])
  }

  let rolling = Promise.resolve()
  // From the first moment, or it would end us. Workers that are just starting are new enough.
  process.on('SIGUSR2', () => {
    if (isStarted && !isStopping) rolling = rolling.then(roll)
  })
  for (let number = 1; number <= config.workers; number++) serving.set(number, launch(number))
  try {
    const [url = ''] = await Promise.all([...serving.values()].map(({ ready }) => ready))
    isStarted = true
    const { metricsHost: host, metricsPort: port, metricsToken: token } = config
    const listening =
      port === undefined
        ? undefined
        : await listenForMetrics({ text: metrics }, { host, port, token }).catch(refuseListen({ host, port }, 'METRICS_PORT'))
    log.info({ pid: process.pid, workers: config.workers }, 'workers serve; SIGUSR2 to this process replaces them one by one')
    return {
      url,
      metricsUrl: listening?.url,
      async stop() {
        await stop()
        listening?.close()
      },
    }
  } catch (error) {
    isStopping = true
    for (const { worker } of alive) worker.process.kill('SIGKILL')
    await Promise.all([...alive].map(({ exited }) => exited))
    throw error
  }
}

/** To one that is just gone it is said in vain. */
const tell = ({ worker }: Member, order: Order) => {
  if (worker.isConnected()) worker.send(order, () => undefined)
}
