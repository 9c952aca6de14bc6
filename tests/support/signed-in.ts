import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { admin, startNeptune } from './start-neptune.ts'

export const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'error', THUMBNAILS: 'off' }

export interface Row {
  id: string
  file_name: string
  sha256: string
  damaged: boolean
}

type Neptune = Awaited<ReturnType<typeof startNeptune>>

/** A Neptune with a directory, and its admin signed in. */
export async function startSignedIn(more: Record<string, string> = {}, wrapper: string[] = []) {
  return signIn(await startNeptune({ ...settings, ...more }, wrapper))
}

export async function signIn(neptune: Neptune) {
  const session = await (await login(neptune.url)).json()
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
  const list = async () => (await (await get('/v1/file?limit=200')).json()).data as Row[]
  const names = async () => (await list()).map(({ file_name }) => file_name).toSorted()
  return { ...neptune, headers, company, directory, send, get, put, list, names }
}

export const login = (url: string, as: { email: string; password: string } = admin) =>
  fetch(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(as),
  })

/** The rows beneath, as the database's own shell would show them. */
export function rowsOf(neptune: { folder: string }, query: string): Record<string, unknown>[] {
  using db = new DatabaseSync(join(neptune.folder, 'data/neptune.db'), { readOnly: true, timeout: 5000 })
  return db.prepare(query).all()
}

/** Runs Neptune in mounts of its own, after `prepare`, a line of shell in which `$0` is the folder. */
export function inOwnMounts(folder: string, prepare: string): string[] {
  const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']
  return ['unshare', ...asUser, '--mount', 'sh', '-c', `${prepare} && exec "$@"`, folder]
}

/** Many small requests over one connection, a few at a time; resolves with how many were answered 200. */
export async function ask(url: string, path: string, times: number): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const atOnce = 50
  let text = ''
  let answered = 0
  let asked = 0
  const more = (count: number) => {
    const next = Math.min(count, times - asked)
    asked += next
    if (next > 0) socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(next))
  }
  const done = new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('close', () => resolve())
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const pieces = (text + chunk).split('HTTP/1.1 200 OK\r\n')
      answered += pieces.length - 1
      text = (pieces.at(-1) ?? '').slice(-20)
      if (answered >= times) socket.end()
      else more(pieces.length - 1)
    })
  })
  more(atOnce)
  await done
  return answered
}
