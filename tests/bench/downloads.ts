import { startXAccelProxy } from '../support/services/x-accel-proxy.ts'
import type { Case } from './case.ts'
import { GiB, MiB, measureTransfer, type Sample } from './measure.ts'
import { type Nginx, openBenchServer, type TestServer } from './servers.ts'
import { runInParallel } from './wire-client.ts'

export async function makeDownloadCases(server: TestServer, nginx: Nginx | undefined): Promise<Case[]> {
  const sizes = [...Array.from({ length: 32 }, () => 64 * MiB), GiB, 6 * GiB]
  const ids: string[] = []
  const paths: string[] = []
  for (const size of sizes) {
    ids.push(await server.put(size))
    if (nginx) paths.push(await nginx.put(size))
  }
  const makeTransfers = (pid: number, get: (n: number, size: number) => Promise<void>) => ({
    downloadOne: (n: number) => measureTransfer([pid], sizes[n] ?? 0, () => get(n, sizes[n] ?? 0)),
    downloadAllAtOnce: () => measureTransfer([pid], 2 * GiB, () => runInParallel(32, 32, (n) => get(n, 64 * MiB))),
    /** Includes the cost of starting each download. */
    downloadOneByOne: () => measureTransfer([pid], GiB, () => runInParallel(16, 1, (n) => get(n, 64 * MiB))),
  })
  const fromNeptune = makeTransfers(server.pid, (n, size) => server.get(`/v1/file/${ids[n]}`, size))
  const fromNginx = nginx && makeTransfers(nginx.pid, (n, size) => nginx.get(paths[n] ?? '', size))
  const makeCase = (
    name: string,
    atMost: number,
    rounds: number,
    run: (transfers: typeof fromNeptune) => Promise<Sample>,
  ): Case => ({
    name: `download ${name}`,
    unit: 'CPU-s/GiB',
    atMost,
    rounds,
    measurements: { neptune: () => run(fromNeptune), nginx: fromNginx && (() => run(fromNginx)) },
  })
  return [
    makeCase('1 GiB', 0.75, 7, (transfers) => transfers.downloadOne(32)),
    makeCase('32 × 64 MiB, all at once', 1.0, 5, (transfers) => transfers.downloadAllAtOnce()),
    makeCase('16 × 64 MiB, one by one', 0.75, 5, (transfers) => transfers.downloadOneByOne()),
    makeCase('6 GiB', 0.75, 3, (transfers) => transfers.downloadOne(33)),
  ]
}

/** Makes a case in which Neptune authorizes the download and nginx sends it. The CPU time of both counts. */
export async function makeProxiedDownloadCases(stack: AsyncDisposableStack): Promise<Case[]> {
  const server = stack.use(await openBenchServer({ X_ACCEL_REDIRECT: '/stored/', TRUST_PROXY: '127.0.0.1' }))
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
