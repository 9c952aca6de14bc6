import { authenticate, openClient } from '../support/client.ts'
import { startNginx } from '../support/services/start-nginx.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { exchange, expectStatus, form } from './wire-client.ts'

export type TestServer = Awaited<ReturnType<typeof openBenchServer>>
export type Nginx = NonNullable<Awaited<ReturnType<typeof openNginx>>>

export const benchSettings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

/** Starts Neptune as shipped, signs in and creates a directory. */
export async function openBenchServer(extraSettings: Record<string, string> = {}) {
  const neptune = await startNeptune({ ...benchSettings, ...extraSettings })
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

/** Starts nginx, if it is installed, to serve files from a folder and to store them there. */
async function openNginx() {
  const nginx = await startNginx((folder) => `location / { root ${folder}; dav_methods PUT; }`)
  if (!nginx) return undefined
  const { url } = nginx
  let count = 0
  return {
    ...nginx,
    async put(size: number) {
      const path = `/file-${++count}.bin`
      expectStatus(await exchange(url, 'PUT', path, {}, [size]), 201)
      return path
    },
    async get(path: string, size: number) {
      const { bytes } = expectStatus(await exchange(url, 'GET', path, {}), 200)
      if (bytes !== size) throw new Error(`${path} returned ${bytes} of ${size} bytes`)
    },
  }
}

/** Starts both servers until the stack is disposed of. */
export async function openBoth(stack: AsyncDisposableStack): Promise<[TestServer, Nginx | undefined]> {
  const server = stack.use(await openBenchServer())
  const nginx = await openNginx()
  if (nginx) stack.use(nginx)
  return [server, nginx]
}
