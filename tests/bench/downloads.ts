import { startSendingProxy } from '../support/sending-proxy.ts'
import type { Case } from './case.ts'
import { GiB, MiB, moving, type Sample } from './measure.ts'
import { type Nginx, openTestServer, type TestServer } from './servers.ts'
import { inParallel } from './wire-client.ts'

export async function downloads(house: TestServer, nginx: Nginx | undefined): Promise<Case[]> {
  const sizes = [...Array.from({ length: 32 }, () => 64 * MiB), GiB, 6 * GiB]
  const ids: string[] = []
  const paths: string[] = []
  for (const size of sizes) {
    ids.push(await house.put(size))
    if (nginx) paths.push(await nginx.put(size))
  }
  const read = (pid: number, get: (n: number, size: number) => Promise<void>) => ({
    one: (n: number) => moving([pid], sizes[n] ?? 0, () => get(n, sizes[n] ?? 0)),
    many: () => moving([pid], 2 * GiB, () => inParallel(32, 32, (n) => get(n, 64 * MiB))),
    /** One after the other: what beginning costs. */
    row: () => moving([pid], GiB, () => inParallel(16, 1, (n) => get(n, 64 * MiB))),
  })
  const ours = read(house.pid, (n, size) => house.get(`/v1/file/${ids[n]}`, size))
  const theirs = nginx && read(nginx.pid, (n, size) => nginx.get(paths[n] ?? '', size))
  const line = (name: string, atMost: number, rounds: number, pick: (way: typeof ours) => Promise<Sample>): Case => ({
    name: `download ${name}`,
    unit: 'CPU-s/GiB',
    atMost,
    rounds,
    contenders: { neptune: () => pick(ours), nginx: theirs && (() => pick(theirs)) },
  })
  return [
    line('1 GiB', 0.75, 7, (way) => way.one(32)),
    line('32 × 64 MiB, all at once', 1.0, 5, (way) => way.many()),
    line('16 × 64 MiB, one by one', 0.75, 5, (way) => way.row()),
    line('6 GiB', 0.75, 3, (way) => way.one(33)),
  ]
}

/** Neptune says who may, and nginx sends: both count. */
export async function byProxy(stack: AsyncDisposableStack): Promise<Case[]> {
  const house = stack.use(await openTestServer({ X_ACCEL_REDIRECT: '/stored/', TRUST_PROXY: '127.0.0.1' }))
  const nginx = await startSendingProxy(house)
  if (!nginx) return []
  stack.use(nginx)
  const id = await house.put(GiB)
  const get = () => house.get(`/v1/file/${id}`, GiB, nginx.url)
  return [
    {
      name: 'download 1 GiB by nginx with X-Accel-Redirect',
      unit: 'CPU-s/GiB',
      atMost: 0.2,
      rounds: 7,
      contenders: { neptune: () => moving([house.pid, nginx.pid], GiB, get) },
    },
  ]
}

export async function zip(stack: AsyncDisposableStack): Promise<Case[]> {
  const house = stack.use(await openTestServer())
  const files = 1000
  await inParallel(files, 8, () => house.put(MiB))
  const get = () => house.get(`/v1/directory/${house.directory}/zip`, 0)
  return [
    {
      name: 'zip of 1,000 files of 1 MiB',
      unit: 'CPU-s/GiB',
      atMost: 1.0,
      rounds: 5,
      contenders: { neptune: () => moving([house.pid], files * MiB, get) },
    },
  ]
}
