import { join } from 'node:path'
import { digest } from './client.ts'
import { runCommand } from './run-command.ts'
import { type ListedFile, startSignedIn } from './start-signed-in.ts'

/** Starts a server with a signed-in admin. Its data stays in `folder` after it stops. */
export async function openServer(folder: string, extraSettings: Record<string, string> = {}) {
  const neptune = await startSignedIn({ DATA_DIR: join(folder, 'data'), ...extraSettings })
  const { get, send, list } = neptune
  const post = (path: string, body: object) => send('POST', path, body)
  const directories = async () =>
    (await (await get('/v1/directory')).json()).data as { id: string; files: number; size: number }[]
  const put = async (name: string, bytes: Uint8Array) => {
    const reply = await neptune.put(name, bytes)
    return { status: reply.status, id: ((await reply.json()) as { data?: ListedFile }).data?.id ?? '' }
  }
  /** Downloads every listed file, and returns their SHA-256 hashes by name. */
  const downloadHashes = async () => {
    const hashes: Record<string, string> = {}
    for (const { id, file_name } of await list())
      hashes[file_name] = digest(new Uint8Array(await (await get(`/v1/file/${id}`)).arrayBuffer()))
    return hashes
  }
  return { ...neptune, directories, post, put, downloadHashes }
}

/** Returns a function that runs `neptune …` on the data in `folder`. */
export const makeCommand =
  (folder: string, extraSettings: Record<string, string> = {}) =>
  (...args: string[]) =>
    runCommand(args, { DATA_DIR: join(folder, 'data'), ...extraSettings })

/** Returns all files from all pages of the list, by name. */
export async function listAllFiles(server: { get: (path: string) => Promise<Response> }): Promise<Map<string, ListedFile>> {
  const rows = new Map<string, ListedFile>()
  for (let cursor = ''; ; ) {
    const page = await (await server.get(`/v1/file?limit=200${cursor && `&cursor=${cursor}`}`)).json()
    for (const row of page.data as ListedFile[]) rows.set(row.file_name, row)
    if (!page.next) return rows
    cursor = page.next
  }
}

/** Invites a user through the API. Returns the token of their link. */
export async function inviteUser(server: { company: string; post: (path: string, body: object) => Promise<Response> }) {
  const user = { name: 'Ada Lovelace', email: 'ada@acme.example', company: server.company, role: 'NEPTUNE_USER', invite: true }
  const { link } = await (await server.post('/v1/admin/user', user)).json()
  return String(link.url).split('/').at(-1) ?? ''
}

/** Accepts an invitation. Returns the status of the response. */
export async function acceptInvitation(server: { post: (path: string, body: object) => Promise<Response> }, token: string) {
  return (await server.post('/v1/identity/invitation', { token, password: 'analytical engine no 1' })).status
}
