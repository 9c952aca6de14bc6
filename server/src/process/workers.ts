import cluster from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { computeBackoffMs } from '../lib/backoff.ts'
import { addWorkerLabels, formatMetrics } from '../metrics/metric.ts'
import { listenForMetrics } from '../metrics/metrics.ts'
import { createListenErrorHandler } from './listen.ts'
import { forkWorker, sendToWorker, type WorkerExit, type WorkerHandle } from './worker-handle.ts'
import { createPendingRequests, type Measured } from './worker-messages.ts'

/** Slightly longer than a worker's own deadline for closing connections. */
const stopTimeoutMs = 40_000
const crashWindowMs = 60_000

/**
 * Starts the worker processes, and replaces each one that dies. Runs in the primary process, which serves no requests itself. The workers
 * share one port and accept connections themselves. So no connection is refused while a worker is replaced, and none hangs because its
 * worker dies before accepting it.
 */
export async function startWorkers(config: Config, log: Deps['log']) {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Workers(log)
  // Registered first: without a handler, this signal would end the process.
  process.on('SIGUSR2', () => workers.replaceAll())
  workers.launchAll(config.workers)
  try {
    const url = await workers.waitUntilReady()
    const { metricsHost: host, metricsPort: port, metricsToken: token } = config
    const metrics = { renderText: () => workers.renderMetrics() }
    const metricsListener =
      port === undefined
        ? undefined
        : await listenForMetrics(metrics, { host, port, token }).catch(createListenErrorHandler({ host, port }, 'METRICS_PORT'))
    log.info(
      { pid: process.pid, workers: config.workers },
      'workers are ready; send SIGUSR2 to this process to replace them one by one',
    )
    return {
      url,
      metricsUrl: metricsListener?.url,
      async stop() {
        await workers.stop()
        metricsListener?.close()
      },
    }
  } catch (error) {
    await workers.kill()
    throw error
  }
}

class Workers {
  /** The workers that accept connections, by number. Excludes those that are draining. */
  readonly #serving = new Map<number, WorkerHandle>()
  readonly #alive = new Set<WorkerHandle>()
  readonly #metricsRequests = createPendingRequests<Measured>()
  readonly #log: Deps['log']
  #crashes: { number: number; at: number }[] = []
  #replacing = Promise.resolve()
  #isStarted = false
  #isStopping = false

  constructor(log: Deps['log']) {
    this.#log = log
  }

  launchAll(count: number) {
    for (let number = 1; number <= count; number++) this.#serving.set(number, this.#launch(number))
  }

  /** Waits until all workers are ready. Returns their URL. */
  async waitUntilReady(): Promise<string> {
    const [url = ''] = await Promise.all([...this.#serving.values()].map(({ ready }) => ready))
    this.#isStarted = true
    return url
  }

  /** Replaces all workers with new processes. Does nothing while the first ones are still starting. */
  replaceAll() {
    if (this.#isStarted && !this.#isStopping) this.#replacing = this.#replacing.then(() => this.#replaceInTurn())
  }

  async stop() {
    this.#isStopping = true
    const exits = [...this.#alive].map(async (handle) => {
      sendToWorker(handle, { do: 'stop' })
      const timer = setTimeout(() => handle.worker.process.kill('SIGKILL'), stopTimeoutMs)
      const { code } = await handle.exited
      clearTimeout(timer)
      return code === 0
    })
    if ((await Promise.all(exits)).includes(false)) throw new Error('A worker exited with an error')
  }

  async kill() {
    this.#isStopping = true
    for (const { worker } of this.#alive) worker.process.kill('SIGKILL')
    await Promise.all([...this.#alive].map(({ exited }) => exited))
  }

  /** Returns the metrics of all workers in the Prometheus text format. */
  async renderMetrics(): Promise<string> {
    const handles = [...this.#serving.values()].filter(({ isReady }) => isReady)
    const replies = handles.map(async (handle, i) => {
      const isAll = i === 0 // metrics that are the same in every process are requested from one worker only
      const measured = await this.#metricsRequests
        .request((id) => sendToWorker(handle, { do: 'measure', id, isAll }))
        .catch(() => undefined)
      return measured ? [{ worker: handle.number, ...measured }] : []
    })
    const measurements = (await Promise.all(replies)).flat()
    const perWorker = addWorkerLabels(measurements.map(({ worker, ofProcess }) => ({ worker, metrics: ofProcess })))
    return formatMetrics([...perWorker, ...measurements.flatMap(({ ofAll }) => ofAll)])
  }

  #launch(number: number): WorkerHandle {
    const handle = forkWorker(number, (message) => {
      if (message.is === 'measured') this.#metricsRequests.resolve(message.id, message.measured)
      if (message.is === 'asked')
        void this.renderMetrics().then((text) => sendToWorker(handle, { do: 'hear', id: message.id, text }))
    })
    this.#alive.add(handle)
    void handle.exited.then((exit) => {
      const hasServed = handle.isReady || this.#isStarted // a worker that fails during the first start aborts that start
      handle.isReady = false
      this.#alive.delete(handle)
      if (hasServed && !this.#isStopping && this.#serving.get(number) === handle) void this.#restart(handle, exit)
    })
    return handle
  }

  /** Replaces a worker that died: the first time at once, then with exponential backoff. */
  async #restart(dead: WorkerHandle, exit: WorkerExit) {
    const { number, ready } = dead
    const now = performance.now()
    this.#crashes = [...this.#crashes.filter(({ at }) => now - at < crashWindowMs), { number, at: now }]
    const recentCrashes = this.#crashes.filter((crash) => crash.number === number).length
    const pauseMs = computeBackoffMs(recentCrashes - 1, { firstMs: 1000, maxMs: 30_000 })
    const why = await ready.then(
      () => undefined,
      (error: Error) => error.message,
    )
    this.#log.error({ worker: number, ...exit, why, pause: pauseMs }, 'a worker died and is being replaced')
    await wait(pauseMs)
    if (!this.#isStopping && this.#serving.get(number) === dead) this.#serving.set(number, this.#launch(number))
  }

  /** Replaces the workers one by one: the new one is ready before the old one drains. Stops if a new one cannot start. */
  async #replaceInTurn() {
    for (const number of this.#serving.keys()) {
      if (this.#isStopping) return
      const next = this.#launch(number)
      try {
        await next.ready
      } catch (err) {
        next.worker.process.kill('SIGKILL')
        if (this.#isStopping) return
        this.#log.error({ err, worker: number }, 'a new worker cannot start: keeping the current workers')
        return
      }
      const old = this.#serving.get(number)
      this.#serving.set(number, next)
      if (old) sendToWorker(old, { do: 'leave' })
      this.#log.info({ worker: number }, 'a worker was replaced')
    }
  }
}
