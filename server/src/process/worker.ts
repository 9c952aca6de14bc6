import cluster from 'node:cluster'
import { describeStartError } from '../installation/start-error.ts'
import { flushOutput } from './log-output.ts'
import type { Serving } from './serving.ts'
import { createPendingRequests, type Measured, type PrimaryMessage, type WorkerMessage } from './worker-messages.ts'

/** Returns the number of this worker, or undefined in the primary process. */
export const getWorkerNumber = (): number | undefined => (cluster.isWorker ? Number(process.argv[2]) : undefined)

/** Sends a message to the primary process. Resolves when it is sent. */
const send = (message: WorkerMessage) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })

/**
 * Serves until the primary process sends `stop` or `leave`. Ignores signals, which the primary handles; if the primary
 * dies, this process exits too.
 */
export async function runWorker(serve: () => Promise<Serving>): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGUSR2'] as const) process.on(signal, () => undefined)
  const metricsRequests = createPendingRequests<string>()
  let serving: Serving | undefined
  let isExiting = false
  const exit = async (mode: 'stop' | 'drain') => {
    if (mode === 'drain' && isExiting) return
    isExiting = true
    const code = await (serving?.[mode]() ?? Promise.resolve()).then(
      () => 0,
      () => 1,
    )
    await flushOutput()
    process.exit(code)
  }
  process.on('message', (message: PrimaryMessage) => {
    if (message.do === 'stop') void exit('stop')
    if (message.do === 'leave') void exit('drain')
    if (message.do === 'measure')
      void collectMetrics(serving, message.isAll).then((measured) => send({ is: 'measured', id: message.id, measured }))
    if (message.do === 'hear') metricsRequests.resolve(message.id, message.text)
  })
  try {
    serving = await serve()
  } catch (error) {
    await send({ is: 'failed', why: describeStartError(error) }) // the primary prints it once for all workers
    process.exit(1)
  }
  if (serving.metrics) serving.metrics.renderText = () => metricsRequests.request((id) => void send({ is: 'asked', id }))
  await send({ is: 'ready', url: serving.url })
}

async function collectMetrics(serving: Serving | undefined, isAll: boolean): Promise<Measured> {
  const metrics = serving?.metrics
  return {
    ofProcess: (await metrics?.collectFromProcess()) ?? [],
    ofAll: (isAll ? await metrics?.collectFromInstallation() : undefined) ?? [],
  }
}
