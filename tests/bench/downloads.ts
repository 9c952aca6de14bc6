import { startXAccelProxy } from '../support/services/x-accel-proxy.ts'
import type { Case } from './case.ts'
import { GiB, MiB, measureTransfer, type Sample } from './measure.ts'
import { getFromPeer, putToPeer } from './peers.ts'
import { measureServers, openBenchServer, type Servers } from './servers.ts'
import { runInParallel } from './wire-client.ts'

/** Downloads the n-th file. */
type Get = (n: number) => Promise<void>

export async function makeDownloadCases(servers: Servers): Promise<Case[]> {
  const { neptune, empty, peers } = servers
  const sizes = [...Array.from({ length: 32 }, () => 64 * MiB), GiB, 6 * GiB]
  const sizeOf = (n: number) => sizes[n] ?? 0
  const gets = new Map<object, Get>()
  for (const server of [neptune, empty]) {
    const ids: string[] = []
    for (const size of sizes) ids.push(await server.put(size))
    gets.set(server, (n) => server.get(`/v1/file/${ids[n]}`, sizeOf(n)))
  }
  for (const peer of peers) {
    const names: string[] = []
    for (const size of sizes) names.push(await putToPeer(peer, size))
    gets.set(peer, (n) => getFromPeer(peer, names[n] ?? '', sizeOf(n)))
  }
  const makeCase = (name: string, atMost: number, rounds: number, run: (pid: number, get: Get) => Promise<Sample>): Case => {
    const measureServer = (server: { pid: number }) => run(server.pid, gets.get(server) ?? (async () => undefined))
    return {
      name: `download ${name}`,
      unit: 'CPU-s/GiB',
      atMost,
      rounds,
      measurements: measureServers(servers, measureServer, measureServer),
    }
  }
  const downloadOne = (n: number) => (pid: number, get: Get) => measureTransfer([pid], sizeOf(n), () => get(n))
  const downloadAllAtOnce = (pid: number, get: Get) => measureTransfer([pid], 2 * GiB, () => runInParallel(32, 32, get))
  /** Includes the cost of starting each download. */
  const downloadOneByOne = (pid: number, get: Get) => measureTransfer([pid], GiB, () => runInParallel(16, 1, get))
  return [
    makeCase('1 GiB', 0.75, 7, downloadOne(32)),
    makeCase('32 × 64 MiB, all at once', 1.0, 5, downloadAllAtOnce),
    makeCase('16 × 64 MiB, one by one', 0.75, 5, downloadOneByOne),
    makeCase('6 GiB', 0.75, 3, downloadOne(33)),
  ]
}

/** Makes a case in which Neptune authorizes the download and nginx sends it. The CPU time of both counts. */
export async function makeProxiedDownloadCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const server = stack.use(await openBenchServer({ settings: { X_ACCEL_REDIRECT: '/stored/', TRUST_PROXY: '127.0.0.1' } }))
  const nginx = await startXAccelProxy(server)
  if (!nginx) return []
  stack.use(nginx)
  const id = await server.put(GiB)
  const get = () => server.get(`/v1/file/${id}`, GiB, nginx.url)
  return [
    {
      name: 'download 1 GiB by nginx with X-Accel-Redirect',
      unit: 'CPU-s/GiB',
      atMost: 0.2,
      rounds: 7,
      measurements: { neptune: () => measureTransfer([server.pid, nginx.pid], GiB, get) },
    },
  ]
}

export async function makeZipCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const server = stack.use(await openBenchServer())
  const files = 1000
  await runInParallel(files, 8, () => server.put(MiB))
  const get = () => server.get(`/v1/directory/${server.directory}/zip`, 0)
  return [
    {
      name: 'zip of 1,000 files of 1 MiB',
      unit: 'CPU-s/GiB',
      atMost: 1.0,
      rounds: 5,
      measurements: { neptune: () => measureTransfer([server.pid], files * MiB, get) },
    },
  ]
}
