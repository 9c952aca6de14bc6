import type { IncomingMessage } from 'node:http'
import type { LinkType } from '@neptune/contract'
import { startTestServer, toBearerHeader } from '../../testing.ts'

type Headers = Record<string, string>

export const dayMs = 24 * 60 * 60_000

export const buildForm = (text: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  payload: `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--x--\r\n`,
})

/**
 * Starts a server with an admin and two users: Kim of Acme, with the directories Plans (two files) and Other (one file), and Eve of
 * Globex, with the directory Foreign (one file).
 */
export async function openOffice(environment: Record<string, string> = {}) {
  const server = await startTestServer({ SESSION_IDLE_MINUTES: '6000000', ...environment })
  const kimId = await server.addUser({ email: 'kim@acme.example' })
  await server.addUser({ email: 'eve@globex.example' })
  await server.addUser({ email: 'admin@neptune.example', role: 'NEPTUNE_ADMIN' })
  const [kim, eve, admin] = [
    await server.startSessionAs('kim@acme.example'),
    await server.startSessionAs('eve@globex.example'),
    await server.startSessionAs('admin@neptune.example'),
  ]
  const calls = createCalls(server)
  const { addDirectory, addFile } = calls
  const plans = await addDirectory(kim, 'Plans')
  const [first, second] = [await addFile(plans, 'first.txt', kim), await addFile(plans, 'second.txt', kim)]
  const other = await addDirectory(kim, 'Other')
  const hidden = await addFile(other, 'hidden.txt', kim)
  const foreign = await addDirectory(eve, 'Foreign')
  const foreignFile = await addFile(foreign, 'foreign.txt', eve)
  return {
    ...server,
    ...calls,
    ...createLinkHelpers(server, calls, { kim, kimId, eve, admin, plans, first, foreign }),
    kimId,
    kim,
    eve,
    admin,
    plans,
    other,
    foreign,
    first,
    second,
    hidden,
    foreignFile,
  }
}

type Server = Awaited<ReturnType<typeof startTestServer>>

function createCalls({ app }: Server) {
  const call = (method: string, url: string, headers: Headers = {}, payload?: object) =>
    app.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
  const data = async (method: string, url: string, headers: Headers, payload?: object) =>
    (await call(method, url, headers, payload)).json().data
  const companyOf = async (who: Headers): Promise<string> => (await data('GET', '/v1/identity', who)).company
  const addDirectory = async (who: Headers, directory: string): Promise<string> =>
    (await data('POST', '/v1/directory', who, { directory, client: await companyOf(who) })).id
  const put = (directory: string, name: string, who: Headers, text = name, query = '') => {
    const { headers, payload } = buildForm(text)
    const url = `/v1/file/${directory}/${encodeURIComponent(name)}${query}`
    return app.inject({ method: 'PUT', url, headers: { ...headers, ...who }, payload })
  }
  const addFile = async (directory: string, name: string, who: Headers): Promise<string> =>
    (await put(directory, name, who)).json().data.id
  return { call, data, companyOf, addDirectory, put, addFile }
}

type Calls = ReturnType<typeof createCalls>

type LinkTargets = Record<'kim' | 'eve' | 'admin', Headers> & Record<'kimId' | 'plans' | 'first' | 'foreign', string>

/** Returns helpers to create links as Kim, and to open them. */
function createLinkHelpers(
  { app, deps }: Server,
  { call, data, companyOf }: Calls,
  { kim, kimId, eve, admin, plans, first, foreign }: LinkTargets,
) {
  const reserve = async (who = kim, directory = plans): Promise<{ key: string; accessCode: string }> =>
    data('POST', '/v1/link/initialise', who, { company: await companyOf(who), directory })
  const inDays = (days: number) => new Date(deps.now().getTime() + days * dayMs).toISOString()
  /** Creates a link the way staff do: reserves a key and a code, then creates it. */
  const share = async (
    linkType: LinkType = 'LINK_DIRECTORY',
    more: { days?: number; tellDownload?: boolean; directory?: string; file?: string; version?: string } = {},
  ) => {
    const { days = 30, directory = plans, file = first, ...rest } = more
    const reserved = await reserve(kim, directory)
    const target = linkType === 'LINK_FILE' ? { file } : { directory }
    const created = await call('POST', '/v1/link', kim, { linkType, ...target, ...reserved, expiry: inDays(days), ...rest })
    if (created.statusCode !== 200) throw new Error(created.body)
    return { key: reserved.key, code: reserved.accessCode }
  }
  /** Creates a link to several files in a directory, or in the folders below. */
  const shareFiles = async (files: string[], directory = plans) => {
    const { key, accessCode } = await reserve(kim, directory)
    const link = { linkType: 'LINK_FILE', files, directory, key, accessCode, expiry: inDays(30) }
    const created = await call('POST', '/v1/link', kim, link)
    if (created.statusCode !== 200) throw new Error(created.body)
    return { key, code: accessCode }
  }
  /** Changes Kim's access. */
  const giveAccess = (access: object) => call('PATCH', `/v1/admin/user/${kimId}/access`, admin, access)
  /** Creates a link to Eve's directory, as Kim or someone else with access to it. */
  const shareForeign = async (who = kim) => {
    const target = { company: await companyOf(eve), directory: foreign }
    const { key, accessCode } = await data('POST', '/v1/link/initialise', who, target)
    const link = { linkType: 'LINK_DIRECTORY', directory: foreign, key, accessCode, expiry: inDays(30) }
    const created = await call('POST', '/v1/link', who, link)
    if (created.statusCode !== 200) throw new Error(created.body)
    return { key: String(key), code: String(accessCode) }
  }
  const verify = (accessKey: unknown, accessCode: unknown, remoteAddress = '198.51.100.7') =>
    app.inject({ method: 'POST', url: '/v1/link/verify', payload: { accessKey, accessCode } as object, remoteAddress })
  /** Enters the code and returns the recipient's Authorization header. */
  const enter = async ({ key, code }: { key: string; code: string }) =>
    toBearerHeader((await verify(key, code)).json().data.token)
  return { reserve, inDays, share, shareFiles, giveAccess, shareForeign, verify, enter }
}

export type Office = Awaited<ReturnType<typeof openOffice>>

/**
 * Reads what is left of a reply and returns how many bytes that was. The server may already have ended the connection: if the client had
 * read everything by then, the reply is closed and emits nothing more.
 */
export async function readToEnd(reply: IncomingMessage): Promise<number> {
  let received = 0
  reply.on('data', (bytes: Buffer) => {
    received += bytes.length
  })
  reply.on('error', () => undefined)
  if (!reply.closed) await new Promise<void>((resolve) => reply.on('close', resolve))
  return received
}
