import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, type HttpReply, openClient } from './client.ts'
import type { startNeptune } from './start-neptune.ts'

type Neptune = Pick<Awaited<ReturnType<typeof startNeptune>>, 'url' | 'output' | 'process'>

/** Returns the process ids of the workers by worker number. */
export function readWorkerPids({ process: { pid } }: Neptune): Map<string, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  const numberOf = (child: number) => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').at(-2) ?? ''
  return new Map(children.map((child) => [numberOf(child), child]))
}

interface Line {
  worker?: number
  msg: string
  requestId?: string
}

/** Returns the log entries so far. */
export const readLogLines = ({ output }: Neptune): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

/** Finds the worker that handled a request, by the request id in the log. */
export async function findWorker(neptune: Neptune, reply: HttpReply | undefined): Promise<number> {
  for (;;) {
    const line = readLogLines(neptune).find(({ requestId }) => requestId === reply?.headers['x-request-id'])
    if (line?.worker) return line.worker
    await wait(20)
  }
}

/** Opens one client per worker, each with a connection to a different one. */
export async function openClientPerWorker(neptune: Neptune, count: number, headers: Record<string, string> = {}) {
  const found: Client[] = []
  while (found.filter(Boolean).length < count) {
    const one = openClient(neptune.url, headers)
    const worker = await findWorker(neptune, await one.send('GET', '/healthz'))
    if (found[worker - 1]) one[Symbol.dispose]()
    else found[worker - 1] = one
  }
  const [one, two, three] = found as [Client, Client, Client]
  const dispose = () => {
    for (const each of found) each[Symbol.dispose]()
  }
  return { one, two, three, [Symbol.dispose]: dispose }
}
