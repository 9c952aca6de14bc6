import { join } from 'node:path'
import { digest } from './client.ts'
import { runCommand } from './run-command.ts'
import { type ListedFile, postLogin, startSignedIn } from './start-signed-in.ts'

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

export const readSettings = async (server: Pick<Server, 'get'>) => (await (await server.get('/v1/admin/settings')).json()).data

/** Changes settings of a section. */
export async function changeSettings(server: Pick<Server, 'get' | 'send'>, section: string, values: object) {
  const { version } = (await readSettings(server))[section]
  const reply = await server.send('PATCH', `/v1/admin/settings/${section}`, { version, values })
  if (reply.status !== 200) throw new Error(await reply.text())
}

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
async function inviteUser(server: { company: string; post: (path: string, body: object) => Promise<Response> }) {
  const user = { name: 'Ada Lovelace', email: 'ada@acme.example', company: server.company, role: 'NEPTUNE_USER', invite: true }
  const { link } = await (await server.post('/v1/admin/user', user)).json()
  return String(link.url).split('/').at(-1) ?? ''
}

/** Accepts an invitation. Returns the status of the response. */
export async function acceptInvitation(server: { post: (path: string, body: object) => Promise<Response> }, token: string) {
  return (await server.post('/v1/identity/invitation', { token, password: 'analytical engine no 1' })).status
}

interface Server {
  url: string
  company: string
  get: (path: string) => Promise<Response>
  send: (method: string, path: string, body?: object) => Promise<Response>
  post: (path: string, body: object) => Promise<Response>
}

interface CompanyOrUser {
  id: string
  name: string
}

const kim = { email: 'kim@acme.example', password: 'five hungry otters' }

/**
 * Creates two companies, one with a note and a quota and one archived; the user Kim, with access to the first; a removed user; and an
 * invitation. Returns the token of the invitation, and what `readPeople` returns.
 */
export async function addPeople(server: Server) {
  const post = async (path: string, body: object) =>
    ((await (await server.post(path, body)).json()) as { data: CompanyOrUser }).data
  const globex = await post('/v1/admin/company', { name: 'Globex' })
  await server.send('PATCH', `/v1/admin/company/${globex.id}`, { note: 'Call on Mondays.\nNot later.', quota: 5_000_000 })
  const closed = await post('/v1/admin/company', { name: 'Initech' })
  await server.send('POST', `/v1/admin/company/${closed.id}/archive`)
  const access = { access: 'selected', companies: [globex.id] }
  const user = { name: 'Kim', ...kim, company: server.company, role: 'NEPTUNE_USER' }
  await post('/v1/admin/user', { ...user, ...access })
  const removed = await post('/v1/admin/user', { ...user, name: 'Lee', email: 'lee@acme.example' })
  await server.post(`/v1/admin/user/${removed.id}/remove`, { closeLinks: true })
  return { invitation: await inviteUser(server), people: await readPeople(server) }
}

/** Returns companies and users as an admin sees them, and which companies Kim sees. */
export async function readPeople(server: Server) {
  const read = async (path: string) => ((await (await server.get(path)).json()) as { data: (CompanyOrUser & object)[] }).data
  const found = [...(await read('/v1/company?search=globex')), ...(await read('/v1/company?archived=true&search=initech'))]
  const companies = await Promise.all(found.map(async ({ id }) => (await server.get(`/v1/company/${id}`)).json()))
  const { token } = (await (await postLogin(server.url, kim)).json()) as { token: string }
  const companiesOfKim = await fetch(`${server.url}/v1/company?sort=name`, { headers: { authorization: `Bearer ${token}` } })
  return {
    companies: companies.map(({ data: { name, note, own_quota, archived_at } }) => ({ name, note, own_quota, archived_at })),
    users: await read('/v1/admin/user?sort=email'),
    removed: (await read('/v1/activity?action=user.removed')).map(({ name }) => name),
    seenByKim: ((await companiesOfKim.json()) as { data: CompanyOrUser[] }).data.map(({ name }) => name),
  }
}
