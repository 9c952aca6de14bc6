import cluster from 'node:cluster'
import { outputIsOut } from './output.ts'
import type { Serving } from './serving.ts'
import { whyNot } from './start-error.ts'
import { createQuestions, type Measured, type Order, type Word } from './worker-words.ts'

/** Which worker this process is; undefined in the one that makes them. */
export const workerNumber = (): number | undefined => (cluster.isWorker ? Number(process.argv[2]) : undefined)

/** Resolves when it is out. */
const say = (word: Word) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send?.(word, undefined, undefined, () => resolve())
    else resolve()
  })

/** Serves until the first process says stop. Signals are for that one alone; if it dies, this one ends with it. */
export async function serveAsTold(serve: () => Promise<Serving>): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGUSR2'] as const) process.on(signal, () => undefined)
  const questions = createQuestions<string>()
  let serving: Serving | undefined
  let isLeaving = false
  const end = async (how: 'stop' | 'leave') => {
    if (how === 'leave' && isLeaving) return
    isLeaving = true
    const code = await (serving?.[how]() ?? Promise.resolve()).then(
      () => 0,
      () => 1,
    )
    await outputIsOut()
    process.exit(code)
  }
  process.on('message', (order: Order) => {
    if (order.do === 'stop' || order.do === 'leave') void end(order.do)
    if (order.do === 'measure')
      void measure(serving, order.isAll).then((measured) => say({ is: 'measured', id: order.id, measured }))
    if (order.do === 'hear') questions.answer(order.id, order.text)
  })
  try {
    serving = await serve()
  } catch (error) {
    await say({ is: 'failed', why: whyNot(error) }) // the first process says it, once for all
    process.exit(1)
  }
  if (serving.metrics) serving.metrics.text = () => questions.ask((id) => void say({ is: 'asked', id }))
  await say({ is: 'ready', url: serving.url })
}

async function measure(serving: Serving | undefined, isAll: boolean): Promise<Measured> {
  const metrics = serving?.metrics
  return { ofProcess: (await metrics?.ofProcess()) ?? [], ofAll: (isAll ? await metrics?.ofAll() : undefined) ?? [] }
}
