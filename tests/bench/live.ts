import { type ClientRequest, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createDirectoryLink } from '../support/client.ts'
import { readMemoryMiB } from '../support/read-memory.ts'
import type { Case } from './case.ts'
import { measure } from './measure.ts'
import { openBenchServer, type TestServer } from './servers.ts'

const pageCount = 1000
/** The maximum number of live connections for one link and one IP address. */
const pagesPerLink = 20

/** Measures the cost of open pages with live connections. */
export async function makeLiveCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const server = stack.use(await openBenchServer({ settings: { MAX_CONNECTIONS_PER_ADDRESS: '5000' } }))
  const memoryBefore = readMemoryMiB(server.pid)
  const connections: ClientRequest[] = []
  stack.defer(() => {
    for (const connection of connections) connection.destroy()
  })
  for (let i = 0; i < pageCount / pagesPerLink; i++) {
    const authorization = await openVisit(server)
    for (let n = 0; n < pagesPerLink; n++) connections.push(await openPage(server.url, authorization))
  }
  const measureSeconds = (seconds: number, work: () => Promise<unknown> = async () => undefined) =>
    measure(
      [server.pid],
      () => Promise.all([wait(seconds * 1000), work()]),
      () => seconds,
    )
  const measureMemory = async () => ({ cpu: 0, seconds: 0, amount: readMemoryMiB(server.pid) - memoryBefore })
  return [
    {
      name: '1,000 open pages: one second without changes',
      unit: 'CPU-ms',
      rounds: 3,
      measurements: { neptune: () => measureSeconds(30) },
    },
    {
      name: '1,000 open pages: one second with a change',
      unit: 'CPU-ms',
      rounds: 3,
      measurements: {
        neptune: () =>
          measureSeconds(10, async () => {
            for (let i = 0; i < 10; i++) {
              await server.put(100)
              await wait(900)
            }
          }),
      },
    },
    { name: '1,000 open pages: memory', unit: 'MiB', rounds: 3, measurements: { neptune: measureMemory } },
  ]
}

/** Creates a link, and enters its code. Returns the Authorization header of the recipient. */
async function openVisit({ client, company, directory }: TestServer): Promise<string> {
  const { key, code } = await createDirectoryLink(client, company, directory)
  const { token } = await client.requestData('POST', '/v1/link/verify', { accessKey: key, accessCode: code })
  return `Bearer ${token}`
}

/** Opens a live connection, and waits for its first event. */
const openPage = (url: string, authorization: string) =>
  new Promise<ClientRequest>((resolve, reject) => {
    const call = request(`${url}/v1/live`, { agent: false, headers: { authorization } }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`a live connection returned ${reply.statusCode}`))
      reply.on('data', () => resolve(call))
    })
    call.on('error', reject).end()
  })
