import cluster from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { listenForMetrics } from './http/metrics.ts'
import { labelled, textOf } from './http/readings.ts'
import { refuseListen } from './listen.ts'
import { type End, forkMember, type Member, tell } from './worker-member.ts'
import { createQuestions, type Measured } from './worker-words.ts'

/** A little longer than a worker takes to cut what never ends. */
const stopWithin = 40_000
const deathsRemembered = 60_000

/**
 * The first process serves nothing itself. It makes the workers, puts another one in the place of each that dies, and ends when they have.
 * They share its port, and each takes connections from it by itself: so none is refused while a worker is replaced, and none that was on
 * its way to a worker that dies is left hanging.
 */
export async function startWorkers(config: Config, log: Deps['log']) {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Workers(log)
  // From the first moment, or it would end us.
  process.on('SIGUSR2', () => workers.renew())
  workers.launchAll(config.workers)
  try {
    const url = await workers.ready()
    const { metricsHost: host, metricsPort: port, metricsToken: token } = config
    const metrics = { text: () => workers.metrics() }
    const listening =
      port === undefined
        ? undefined
        : await listenForMetrics(metrics, { host, port, token }).catch(refuseListen({ host, port }, 'METRICS_PORT'))
    log.info({ pid: process.pid, workers: config.workers }, 'workers serve; SIGUSR2 to this process replaces them one by one')
    return {
      url,
      metricsUrl: listening?.url,
      async stop() {
        await workers.stop()
        listening?.close()
      },
    }
  } catch (error) {
    await workers.kill()
    throw error
  }
}

class Workers {
  /** Who serves, by number. One that leaves is not among them any more. */
  readonly #serving = new Map<number, Member>()
  readonly #alive = new Set<Member>()
  readonly #questions = createQuestions<Measured>()
  readonly #log: Deps['log']
  #deaths: { number: number; at: number }[] = []
  #rolling = Promise.resolve()
  #isStarted = false
  #isStopping = false

  constructor(log: Deps['log']) {
    this.#log = log
  }

  launchAll(count: number) {
    for (let number = 1; number <= count; number++) this.#serving.set(number, this.#launch(number))
  }

  /** Once all of them serve: where. */
  async ready(): Promise<string> {
    const [url = ''] = await Promise.all([...this.#serving.values()].map(({ ready }) => ready))
    this.#isStarted = true
    return url
  }

  /** Workers that are just starting are new enough. */
  renew() {
    if (this.#isStarted && !this.#isStopping) this.#rolling = this.#rolling.then(() => this.#roll())
  }

  async stop() {
    this.#isStopping = true
    const ends = [...this.#alive].map(async (member) => {
      tell(member, { do: 'stop' })
      const timer = setTimeout(() => member.worker.process.kill('SIGKILL'), stopWithin)
      const { code } = await member.exited
      clearTimeout(timer)
      return code === 0
    })
    if ((await Promise.all(ends)).includes(false)) throw new Error('A worker did not end well')
  }

  async kill() {
    this.#isStopping = true
    for (const { worker } of this.#alive) worker.process.kill('SIGKILL')
    await Promise.all([...this.#alive].map(({ exited }) => exited))
  }

  async metrics(): Promise<string> {
    const members = [...this.#serving.values()].filter(({ isReady }) => isReady)
    const answers = members.map(async (member, i) => {
      const isAll = i === 0
      const measured = await this.#questions.ask((id) => tell(member, { do: 'measure', id, isAll })).catch(() => undefined)
      return measured ? [{ worker: member.number, ...measured }] : []
    })
    const parts = (await Promise.all(answers)).flat()
    const own = labelled(parts.map(({ worker, ofProcess }) => ({ worker, readings: ofProcess })))
    return textOf([...own, ...parts.flatMap(({ ofAll }) => ofAll)])
  }

  #launch(number: number): Member {
    const member = forkMember(number, (word) => {
      if (word.is === 'measured') this.#questions.answer(word.id, word.measured)
      if (word.is === 'asked') void this.metrics().then((text) => tell(member, { do: 'hear', id: word.id, text }))
    })
    this.#alive.add(member)
    void member.exited.then((end) => {
      const hasServed = member.isReady || this.#isStarted // one that cannot even start, at first, stops the start
      member.isReady = false
      this.#alive.delete(member)
      if (hasServed && !this.#isStopping && this.#serving.get(number) === member) void this.#replace(member, end)
    })
    return member
  }

  /** At once; one that dies again and again, after a pause that grows. */
  async #replace(dead: Member, end: End) {
    const { number, ready } = dead
    const now = performance.now()
    this.#deaths = [...this.#deaths.filter(({ at }) => now - at < deathsRemembered), { number, at: now }]
    const lately = this.#deaths.filter((death) => death.number === number).length
    const pause = lately > 1 ? Math.min(1000 * 2 ** (lately - 2), 30_000) : 0
    const why = await ready.then(
      () => undefined,
      (error: Error) => error.message,
    )
    this.#log.error({ worker: number, ...end, why, pause }, 'a worker ended: another takes its place')
    await wait(pause)
    if (!this.#isStopping && this.#serving.get(number) === dead) this.#serving.set(number, this.#launch(number))
  }

  /** Each in its turn: the new one serves before the old one leaves. If one cannot start, the others stay as they are. */
  async #roll() {
    for (const number of this.#serving.keys()) {
      if (this.#isStopping) return
      const next = this.#launch(number)
      try {
        await next.ready
      } catch (err) {
        next.worker.process.kill('SIGKILL')
        if (this.#isStopping) return
        this.#log.error({ err, worker: number }, 'a new worker cannot start: the workers stay as they are')
        return
      }
      const old = this.#serving.get(number)
      this.#serving.set(number, next)
      if (old) tell(old, { do: 'leave' })
      this.#log.info({ worker: number }, 'a worker was replaced')
    }
  }
}
