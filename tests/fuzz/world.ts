import { admin, startNeptune } from '../support/start-neptune.ts'
import type { KnownValues } from './known-values.ts'

/** Part of every name in the other company. No user, recipient or stranger may ever receive it. */
export const marker = 'Umbrella-9f27c1'

const password = 'a long enough password'

export type World = Awaited<ReturnType<typeof startWorld>>

/** Settings that calls must not change, because other calls would fail then. */
const lockedSettings = {
  SESSION_MINUTES: '6000000',
  SESSION_IDLE_MINUTES: '720',
  SESSION_REMEMBERED_IDLE_MINUTES: '43200',
  LINK_SESSION_MINUTES: '720',
  LINK_MAX_BYTES: '1000000000',
  LINK_MAX_FILES: '100000',
  COMPANY_QUOTA_BYTES: '1000000000',
}

/** Starts a server with two companies: `Home`, whose members the fuzzer acts as, and another one that they must not see. */
export async function startWorld(known: KnownValues) {
  const neptune = await startNeptune({
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'error',
    MAX_UPLOAD_BYTES: '5000',
    ...lockedSettings,
    TRUST_PROXY: '127.0.0.1', // so that requests choose their own address, and rate limits don't stop the preparation
  })
  const api = makeApi(neptune.url)
  const asAdmin = await api.signIn(admin.email)
  const addCompany = async (name: string) => (await api.post(asAdmin, '/v1/admin/company', { name })).id as string
  const addUser = async (email: string, name: string, company: string, role = 'NEPTUNE_USER') => {
    await api.post(asAdmin, '/v1/admin/user', { email, name, company, role, password })
  }
  const home = await addCompany('Home')
  const other = await addCompany(marker)
  await addUser('user@acme.example', 'Kim Doe', home)
  await addUser('other@umbrella.example', `Alice ${marker}`, other)
  const asUser = await api.signIn('user@acme.example')
  const asOther = await api.signIn('other@umbrella.example')

  const otherRecords = await createRecords(api, asOther, other, marker)
  known.add('company', home, other)
  known.add('password', password)
  known.add('email', 'kim@acme.example', 'user@acme.example', 'new@acme.example')
  known.add('url', 'https://hooks.example/a', 'http://127.0.0.1:1/', 'ftp://hooks.example', 'https://[::1]/')
  known.add('date', inDays(1), inDays(30), '2020-01-01', '2099-01-01')
  known.add('instant', '2026-01-01T00:00:00Z')
  for (const [kind, id] of otherRecords.ids) known.add(kind, id)

  let round = 0
  let spareCount = 0
  return {
    ...neptune,
    api,
    asAdmin,
    asUser,
    /** The ids of everything in the other company. */
    othersIds: [other, ...otherRecords.ids.map(([, id]) => id)],
    /** Adds a member of staff whose account the fuzzer may change, and signs them in. */
    async addSpareStaff(role: 'user' | 'admin') {
      await reopenCompany(api, asAdmin, home)
      const email = `spare${++spareCount}@acme.example`
      await addUser(email, 'Spare', home, role === 'user' ? 'NEPTUNE_USER' : 'NEPTUNE_ADMIN')
      return api.signIn(email)
    },
    /**
     * Adds a directory to `Home` with one object of each kind. Returns the token of a recipient who may add files, and calls
     * that succeed.
     */
    async refill(headers: Headers) {
      await reopenCompany(api, asAdmin, home)
      const settings = await resetLinkSettings(api, asAdmin)
      const records = await createRecords(api, headers, home, `Plans ${++round}`)
      for (const [kind, id] of records.ids) known.add(kind, id)
      known.learn('', records.secrets)
      const editable = records.secrets.links.at(-1)
      const { token } = await api.post({}, '/v1/link/verify', { accessKey: editable?.key, accessCode: editable?.accessCode })
      const recipient = { authorization: `Bearer ${token}` }
      const [, directory = ''] = records.ids.find(([kind]) => kind === 'directory') ?? []
      await api.upload(recipient, directory, 'brought.txt', Buffer.from('hello')) // something to issue a receipt for
      return { recipient, prepared: { ...(await prepareCalls(api, headers, home, records, round)), ...settings } }
    },
  }
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

type Headers = Record<string, string>

function makeApi(url: string) {
  let calls = 0
  const call = async (headers: Headers, method: string, path: string, body?: BodyInit | null) => {
    const from = { 'x-forwarded-for': `10.0.${(++calls >> 8) & 255}.${calls & 255}` }
    const reply = await fetch(url + path, { method, headers: { ...headers, ...from }, ...(body && { body }) })
    if (!reply.ok) throw new Error(`${method} ${path} returned ${reply.status}: ${await reply.text()}`)
    return reply
  }
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint has its own body.
  const readData = async (reply: Response): Promise<any> => {
    const text = await reply.text()
    const value = text === '' ? {} : JSON.parse(text)
    return value.data ?? value
  }
  const post = async (headers: Headers, path: string, body?: object) =>
    readData(
      await call({ ...headers, ...(body && { 'content-type': 'application/json' }) }, 'POST', path, body && JSON.stringify(body)),
    )
  return {
    call,
    post,
    get: async (headers: Headers, path: string) => readData(await call(headers, 'GET', path)),
    async signIn(email: string): Promise<Headers> {
      const { token } = await post({}, '/v1/identity/login', { email, password })
      return { authorization: `Bearer ${token}` }
    },
    async upload(headers: Headers, directory: string, name: string, bytes: Buffer): Promise<string> {
      const form = new FormData()
      form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]))
      return (await readData(await call(headers, 'PUT', `/v1/file/${directory}/${encodeURIComponent(name)}`, form))).id
    },
  }
}

type Api = ReturnType<typeof makeApi>

const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Creates a directory with one object of each kind. Returns the ids by kind, and the secrets that give access by themselves.
 */
async function createRecords(api: Api, headers: Headers, company: string, name: string) {
  const directory: string = (await api.post(headers, '/v1/directory', { directory: name, client: company })).id
  const file = await api.upload(headers, directory, `${name}.txt`, Buffer.from('hello hello hello'))
  const image = await api.upload(headers, directory, `${name}.png`, onePixelPng)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const tus = {
    'tus-resumable': '1.0.0',
    'upload-length': '40',
    'upload-metadata': `filename ${base64(`${name}.bin`)},directory ${base64(directory)}`,
  }
  const upload = await api.call({ ...headers, ...tus }, 'POST', '/v1/upload')
  const links: { key: string; accessCode: string }[] = []
  for (const target of [
    { linkType: 'LINK_FILE', file },
    { linkType: 'LINK_DIRECTORY', directory },
    { linkType: 'LINK_EDITABLE_DIRECTORY', directory },
  ]) {
    const reserved = await api.post(headers, '/v1/link/initialise', { company, directory })
    await api.post(headers, '/v1/link', { ...target, ...reserved, expiry: inDays(60) })
    links.push(reserved)
  }
  await api.post({}, '/v1/ask', { accessKey: links[0]?.key, wants: 'time' })
  const ignoreTooMany = (error: Error) => (error.message.includes('.too_many') ? { id: 'x' } : Promise.reject(error))
  const { id: token } = await api.post(headers, '/v1/token', { name, scope: 'write' }).catch(ignoreTooMany)
  const hook = { company, url: 'https://hooks.example', events: ['upload', 'download'] }
  const { id: webhook } = await api.post(headers, '/v1/webhook', hook).catch(ignoreTooMany)
  const [ask] = await api.get(headers, '/v1/ask')
  const ids: [kind: string, id: string][] = [
    ['directory', directory],
    ['file', file],
    ['file', image],
    ['upload', upload.headers.get('location')?.split('/').at(-1) ?? ''],
    ['token', token],
    ['webhook', webhook],
    ['ask', ask.id],
    ...links.map(({ key }): [string, string] => ['link', key]),
  ]
  const tickets = [
    await api.post(headers, `/v1/file/${file}/ticket`),
    await api.post(headers, `/v1/file/${file}/preview`),
    await api.post(headers, `/v1/directory/${directory}/ticket`),
    await api.post(headers, '/v1/activity/export', {}),
  ]
  return { ids, secrets: { tickets, links } }
}

/** Undoes changes that keep anything from being added to a company. */
async function reopenCompany(api: Api, asAdmin: Headers, id: string): Promise<void> {
  await api.post(asAdmin, `/v1/admin/company/${id}/restore`)
  const headers = { ...asAdmin, 'content-type': 'application/json' }
  await api.call(headers, 'PATCH', `/v1/admin/company/${id}`, JSON.stringify({ quota: null }))
}

/** Removes a limit that calls may have set for links. Returns changes of all sections that succeed, by operation. */
async function resetLinkSettings(api: Api, asAdmin: Headers): Promise<Record<string, Record<string, unknown>>> {
  const { links } = await api.get(asAdmin, '/v1/admin/settings')
  const headers = { ...asAdmin, 'content-type': 'application/json' }
  const change = { version: links.version, values: { max_days: null } }
  await api.call(headers, 'PATCH', '/v1/admin/settings/links', JSON.stringify(change))
  const { logos: _, ...sections } = await api.get(asAdmin, '/v1/admin/settings')
  return Object.fromEntries(
    Object.entries<{ version: number }>(sections).map(([name, { version }]) => [`settings.${name}`, { version, values: {} }]),
  )
}

/** Returns input that each of these operations accepts and that random generation would hardly find. */
async function prepareCalls(
  api: Api,
  headers: Headers,
  company: string,
  { ids, secrets }: Awaited<ReturnType<typeof createRecords>>,
  round: number,
): Promise<Record<string, Record<string, unknown>>> {
  const findId = (wanted: string) => ids.find(([kind]) => kind === wanted)?.[1] ?? ''
  const directory = findId('directory')
  const reserved = await api.post(headers, '/v1/link/initialise', { company, directory })
  const accessKey = secrets.links[0]?.key ?? ''
  const reset = await api.post(headers, '/v1/link/initialise', { type: 'RESET', accessKey })
  return {
    'company.create': { name: `Company ${round}` },
    'file.upload': { directory, filename: 'note.txt' },
    'link.create': { linkType: 'LINK_DIRECTORY', directory, ...reserved, expiry: inDays(30) },
    'link.initialise': { company, directory },
    'link.reset': { accessKey, accessCode: reset.accessCode },
    'receipt.issue': {},
    'receipt.send': { email: 'kim@acme.example' },
    'upload.append': { id: findId('upload'), 'Upload-Offset': 0 },
    'user.create': { name: 'Sam', email: `sam${round}@acme.example`, company, role: 'NEPTUNE_USER', password },
    'webhook.create': { company, url: 'https://hooks.example/a', events: ['upload'] },
  }
}
