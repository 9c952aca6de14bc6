import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, type HttpReply, openClient } from './client.ts'
import type { startNeptune } from './start-neptune.ts'

type Neptune = Pick<Awaited<ReturnType<typeof startNeptune>>, 'url' | 'output' | 'process'>

/** Returns the process ids of the workers by worker number. */
export function readWorkerPids({ process: { pid } }: Neptune): Map<string, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  const readWorkerNumber = (child: number) => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').at(-2) ?? ''
  return new Map(children.map((child) => [readWorkerNumber(child), child]))
}

interface LogEntry {
  worker?: number
  msg: string
  requestId?: string
}

/** Returns the log entries so far. */
export const readLogEntries = ({ output }: Neptune): LogEntry[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

/** Finds the worker that handled a request, by the request id in the log. */
export async function findWorker(neptune: Neptune, reply: HttpReply | undefined): Promise<number> {
  for (;;) {
    const entry = readLogEntries(neptune).find(({ requestId }) => requestId === reply?.headers['x-request-id'])
    if (entry?.worker) return entry.worker
    await wait(20)
  }
}

/** Opens one client per worker, each with a connection to a different one. */
export async function openClientPerWorker(neptune: Neptune, count: number, headers: Record<string, string> = {}) {
  const clients: Client[] = []
  while (clients.filter(Boolean).length < count) {
    const client = openClient(neptune.url, headers)
    const worker = await findWorker(neptune, await client.send('GET', '/healthz'))
    if (clients[worker - 1]) client[Symbol.dispose]()
    else clients[worker - 1] = client
  }
  const [one, two, three] = clients as [Client, Client, Client]
  const dispose = () => {
    for (const client of clients) client[Symbol.dispose]()
  }
  return { one, two, three, [Symbol.dispose]: dispose }
}
