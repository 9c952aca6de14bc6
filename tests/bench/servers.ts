import { authenticate, openClient } from '../support/client.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { benchSettings, getBusyFirm } from './busy-firm.ts'
import type { GroupOptions, Measurements } from './case.ts'
import type { Sample } from './measure.ts'
import { openPeers, type Peer } from './peers.ts'
import { exchange, expectStatus, form } from './wire-client.ts'

export type TestServer = Awaited<ReturnType<typeof openBenchServer>>

interface ServerOptions {
  settings?: Record<string, string>
  /** Whether the server has no data. By default, it has that of a busy firm. */
  isEmpty?: boolean
}

/** Starts Neptune as shipped, signs in and creates a directory. */
export async function openBenchServer({ settings: extraSettings = {}, isEmpty = false }: ServerOptions = {}) {
  const data = isEmpty ? undefined : await getBusyFirm()
  const neptune = await startNeptune({ ...benchSettings, ...extraSettings }, [], data)
  const { headers, company } = await authenticate(neptune.url, admin)
  // The rounds are long, so the server would close an idle keep-alive connection in between.
  const client = openClient(neptune.url, headers, { keepAlive: false })
  let count = 0
  const { id: directory = '' } = await client.requestData('POST', '/v1/directory', { directory: 'Bench', client: company })
  const put = async (size: number, into = directory) => {
    const path = `/v1/file/${into}/file-${++count}.bin`
    const { text } = expectStatus(
      await exchange(neptune.url, 'PUT', path, { ...headers, ...form.headers }, form.makeParts(size)),
      200,
    )
    return JSON.parse(text).data.id as string
  }
  const tus = { ...headers, 'tus-resumable': '1.0.0' }
  const append = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  return {
    ...neptune,
    pid: neptune.process.pid ?? 0,
    headers,
    company,
    client,
    directory,
    put,
    async putByTus(size: number) {
      const created = await client.createUpload(directory, `file-${++count}.bin`, size)
      if (created?.status !== 201)
        throw new Error(`Creating an upload of ${size} bytes returned ${created?.status}: ${created?.text}`)
      const path = created.headers.location ?? ''
      expectStatus(await exchange(neptune.url, 'PATCH', path, append, [size]), 204)
    },
    async get(path: string, size: number, url = neptune.url) {
      const { bytes } = expectStatus(await exchange(url, 'GET', path, headers), 200)
      if (size > 0 && bytes !== size) throw new Error(`${path} returned ${bytes} of ${size} bytes`)
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await neptune[Symbol.asyncDispose]()
    },
  }
}

/** The servers that are measured in turns. */
export interface Servers {
  neptune: TestServer
  empty: TestServer
  peers: Peer[]
}

/** Starts Neptune with and without data, and the peers, until the stack is disposed of. */
export async function openServers(stack: AsyncDisposableStack, options: GroupOptions): Promise<Servers> {
  const neptune = stack.use(await openBenchServer())
  const empty = stack.use(await openBenchServer({ isEmpty: true }))
  const peers = await openPeers(options)
  for (const peer of peers) stack.use(peer)
  return { neptune, empty, peers }
}

/** Returns a measurement of each server. Without `measurePeer`, the peers are left out. */
export const measureServers = (
  { neptune, empty, peers }: Servers,
  measureNeptune: (server: TestServer) => Promise<Sample>,
  measurePeer?: (peer: Peer) => Promise<Sample>,
): Measurements => ({
  neptune: () => measureNeptune(neptune),
  empty: () => measureNeptune(empty),
  ...(measurePeer && Object.fromEntries(peers.map((peer) => [peer.name, () => measurePeer(peer)]))),
})
