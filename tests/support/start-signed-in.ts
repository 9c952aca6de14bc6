import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { admin, startNeptune } from './start-neptune.ts'

export const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'error', THUMBNAILS: 'off' }

export interface ListedFile {
  id: string
  file_name: string
  sha256: string
  damaged: boolean
}

type Neptune = Awaited<ReturnType<typeof startNeptune>>

/** Starts a server with a directory, and signs in its admin. */
export async function startSignedIn(extraSettings: Record<string, string> = {}, wrapper: string[] = []) {
  return signInAdmin(await startNeptune({ ...settings, ...extraSettings }, wrapper))
}

/** Signs in the admin. Creates a directory if the server has none. */
export async function signInAdmin(neptune: Neptune) {
  const session = await (await postLogin(neptune.url)).json()
  const headers = { authorization: `Bearer ${session.token}` }
  const send = (method: string, path: string, body?: object) =>
    fetch(neptune.url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const get = (path: string) => send('GET', path)
  const directories = async () => (await (await get('/v1/directory')).json()).data as { id: string }[]
  const company: string = session.info.company
  if ((await directories()).length === 0) await send('POST', '/v1/directory', { directory: 'Plans', client: company })
  const directory = (await directories())[0]?.id ?? ''
  const put = (name: string, bytes: Uint8Array = randomBytes(1000)) => {
    const form = new FormData()
    form.set('file', new Blob([Buffer.from(bytes)]))
    return fetch(`${neptune.url}/v1/file/${directory}/${name}`, { method: 'PUT', headers, body: form })
  }
  const list = async () => (await (await get('/v1/file?limit=200')).json()).data as ListedFile[]
  const names = async () => (await list()).map(({ file_name }) => file_name).toSorted()
  return { ...neptune, headers, company, directory, send, get, put, list, names }
}

/** Sends a sign-in request, by default with the admin's credentials. */
export const postLogin = (url: string, credentials: { email: string; password: string } = admin) =>
  fetch(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })

/** Queries the SQLite database directly. */
export function queryRows(neptune: { folder: string }, query: string): Record<string, unknown>[] {
  using db = new DatabaseSync(join(neptune.folder, 'data/neptune.db'), { readOnly: true, timeout: 5000 })
  return db.prepare(query).all()
}

/**
 * Returns a wrapper command that runs a server in its own mount namespace. The shell command `prepare` runs first; in it,
 * `$0` is the folder.
 */
export function wrapInMountNamespace(folder: string, prepare: string): string[] {
  const userOptions = process.getuid?.() === 0 ? [] : ['--map-root-user']
  return ['unshare', ...userOptions, '--mount', 'sh', '-c', `${prepare} && exec "$@"`, folder]
}

/** Pipelines many small requests over one connection, 50 at a time. Returns how many got status 200. */
export async function pipelineRequests(url: string, path: string, count: number): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const concurrency = 50
  let text = ''
  let succeeded = 0
  let sent = 0
  const sendMore = (limit: number) => {
    const next = Math.min(limit, count - sent)
    sent += next
    if (next > 0) socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(next))
  }
  const done = new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('close', () => resolve())
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const parts = (text + chunk).split('HTTP/1.1 200 OK\r\n')
      succeeded += parts.length - 1
      text = (parts.at(-1) ?? '').slice(-20)
      if (succeeded >= count) socket.end()
      else sendMore(parts.length - 1)
    })
  })
  sendMore(concurrency)
  await done
  return succeeded
}
