import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, openClient, type Reply } from './client.ts'
import type { startNeptune } from './start-neptune.ts'

type Neptune = Pick<Awaited<ReturnType<typeof startNeptune>>, 'url' | 'output' | 'process'>

/** The workers by their numbers, as the machine knows them. */
export function pidsOf({ process: { pid } }: Neptune): Map<string, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  const numberOf = (child: number) => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').at(-2) ?? ''
  return new Map(children.map((child) => [numberOf(child), child]))
}

interface Line {
  worker?: number
  msg: string
  requestId?: string
}

/** What the log says so far. */
export const linesOf = ({ output }: Neptune): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

/** Who answered: the log says so, by the id of the request. */
export async function workerOf(neptune: Neptune, reply: Reply | undefined): Promise<number> {
  for (;;) {
    const line = linesOf(neptune).find(({ requestId }) => requestId === reply?.headers['x-request-id'])
    if (line?.worker) return line.worker
    await wait(20)
  }
}

/** Somebody with a connection to each worker. */
export async function clientsOfEach(neptune: Neptune, count: number, headers: Record<string, string> = {}) {
  const found: Client[] = []
  while (found.filter(Boolean).length < count) {
    const one = openClient(neptune.url, headers)
    const worker = await workerOf(neptune, await one.ask('GET', '/healthz'))
    if (found[worker - 1]) one[Symbol.dispose]()
    else found[worker - 1] = one
  }
  const [one, two, three] = found as [Client, Client, Client]
  const dispose = () => {
    for (const each of found) each[Symbol.dispose]()
  }
  return { one, two, three, [Symbol.dispose]: dispose }
}
