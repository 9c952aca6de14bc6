import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { saveTestDatabase } from '../../db/testing.ts'
import { buildForm } from '../../features/link/testing.ts'
import { insertPasskey } from '../../features/passkey/passkey.repo.ts'
import { setInvitation } from '../../features/user/invitation.repo.ts'
import { createInvitation } from '../../features/user/invitation.service.ts'
import { newId } from '../../lib/secrets.ts'
import { password, startTestServer } from '../../testing.ts'

export const form = buildForm('hello')
export const tus = { 'tus-resumable': '1.0.0' }
export const colleague = { own: 'own@acme.example', foreign: 'foreign@globex.example' }

export type World = Awaited<ReturnType<typeof openWorld>>

/**
 * Starts a server with a user, an admin and a colleague in one company (`own`), and someone in another company (`foreign`). More users of the
 * first company have access to other companies. Returns the ids of records in both companies.
 */
export async function openWorld() {
  const server = await startTestServer()
  const companyOf = async (id: string) =>
    (await server.deps.db.selectFrom('user').select('company_id').where('id', '=', id).executeTakeFirstOrThrow()).company_id
  const ownId = await server.addUser({ email: colleague.own })
  const own = await companyOf(ownId)
  const foreignId = await server.addUser({ email: colleague.foreign })
  await server.addUser({ email: 'user@acme.example', company_id: own })
  const adminId = await server.addUser({ email: 'admin@acme.example', company_id: own, role: 'NEPTUNE_ADMIN' })
  const third = await companyOf(await server.addUser({ email: 'someone@initech.example' }))
  await addUserWithAccess(server, 'both@acme.example', own, [own, await companyOf(foreignId)])
  await addUserWithAccess(server, 'third@acme.example', own, [own, third])
  await addUserWithAccess(server, 'all@acme.example', own, 'all')
  const invitedId = {
    own: await addInvitedUser(server, 'invited@acme.example', own),
    foreign: await addInvitedUser(server, 'invited@globex.example', await companyOf(foreignId)),
  }
  const startSession = async (email: string, userId: string) => {
    await server.startSessionAs(email)
    return (await server.deps.db.selectFrom('session').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow()).id
  }
  const sessionId = { own: await startSession(colleague.own, ownId), foreign: await startSession(colleague.foreign, foreignId) }
  const company = { own, foreign: await companyOf(foreignId) }
  const records = {
    own: await createRecords(server, colleague.own, own),
    foreign: await createRecords(server, colleague.foreign, company.foreign),
  }
  const ids = (name: keyof typeof records.own) => ({ own: records.own[name], foreign: records.foreign[name] })
  return {
    ...server,
    password,
    sessionId,
    company,
    adminId,
    colleagueId: { own: ownId, foreign: foreignId },
    invitedId,
    passkeyId: { own: await addPasskey(server, ownId), foreign: await addPasskey(server, foreignId) },
    directoryId: ids('directory'),
    folderId: ids('folder'),
    fileId: ids('file'),
    uploadId: ids('upload'),
    linkKey: ids('link'),
    askId: ids('ask'),
    tokenId: ids('token'),
    webhookId: ids('webhook'),
  }
}

/** Adds a user who may see these companies. */
async function addUserWithAccess(
  { addUser, deps: { db } }: Awaited<ReturnType<typeof startTestServer>>,
  email: string,
  company_id: string,
  companies: string[] | 'all',
) {
  const user_id = await addUser({ email, company_id })
  const access = companies === 'all' ? companies : 'selected'
  await db.updateTable('user').set({ access }).where('id', '=', user_id).execute()
  if (companies !== 'all')
    await db
      .insertInto('user_company')
      .values(companies.map((company_id) => ({ user_id, company_id })))
      .execute()
}

/** Adds a user who has not accepted their invitation. Returns their id. */
async function addInvitedUser({ addUser, deps }: Awaited<ReturnType<typeof startTestServer>>, email: string, company_id: string) {
  const id = await addUser({ email, company_id })
  await setInvitation(deps.db, id, createInvitation(deps))
  return id
}

/** Adds a passkey that nobody can use. Returns its id. */
async function addPasskey({ deps }: Awaited<ReturnType<typeof startTestServer>>, user_id: string) {
  const id = newId()
  const credential = { credential_id: newId(), rp_id: 'localhost', public_key: '', transports: '', counter: 0 }
  const row = { id, user_id, ...credential, name: 'Phone', created_at: deps.now().toISOString(), last_used_at: null }
  await insertPasskey(deps.db, row)
  return id
}

/** Creates a directory with a folder, a file, an unfinished upload and a link, and a token and a webhook. Returns their ids. */
async function createRecords(server: Awaited<ReturnType<typeof startTestServer>>, email: string, client: string) {
  const headers = await server.startSessionAs(email)
  const payload = { directory: 'Plans', client }
  const directoryReply = await server.app.inject({ method: 'POST', url: '/v1/directory', headers, payload })
  const directory: string = directoryReply.json().data.id
  const folderReply = await server.app.inject({
    ...{ method: 'POST', url: '/v1/directory', headers },
    payload: { directory: 'Drafts', parent: directory },
  })
  const fileReply = await server.app.inject({
    method: 'PUT',
    url: `/v1/file/${directory}/a.txt`,
    headers: { ...headers, ...form.headers },
    payload: form.payload,
  })
  const uploadReply = await server.app.inject({
    method: 'POST',
    url: '/v1/upload',
    headers: {
      ...headers,
      ...tus,
      'upload-length': '5',
      'upload-metadata': `filename ${btoa('b.txt')},directory ${btoa(directory)}`,
    },
  })
  const reserve = { method: 'POST', url: '/v1/link/initialise', headers, payload: { company: client, directory } } as const
  const { key, accessCode } = (await server.app.inject(reserve)).json().data
  const link = { linkType: 'LINK_DIRECTORY', directory, key, accessCode, expiry: '2026-12-30' }
  await server.app.inject({ method: 'POST', url: '/v1/link', headers, payload: link })
  await server.app.inject({ method: 'POST', url: '/v1/ask', payload: { accessKey: key, wants: 'time' } })
  const askReply = await server.app.inject({ method: 'GET', url: '/v1/ask', headers })
  const token = { method: 'POST', url: '/v1/token', headers, payload: { name: 'Script', scope: 'read' } } as const
  const hook = { company: client, url: 'https://hooks.example', events: ['upload'] }
  const webhook = { method: 'POST', url: '/v1/webhook', headers, payload: hook } as const
  return {
    token: (await server.app.inject(token)).json().data.id as string,
    webhook: (await server.app.inject(webhook)).json().data.id as string,
    directory,
    folder: folderReply.json().data.id as string,
    file: fileReply.json().data.id as string,
    upload: String(uploadReply.headers['location']).split('/').at(-1) ?? '',
    link: key as string,
    ask: askReply.json().data[0].id as string,
  }
}

type Server = Pick<Awaited<ReturnType<typeof startTestServer>>, 'deps' | 'folder' | 'clock'> & AsyncDisposable

/**
 * Returns a function that opens the same server for every test of a file, and undoes what the test did when the test disposes of it.
 * On PostgreSQL, which cannot undo everything quickly, every test gets a server of its own.
 */
export function shareServer<S extends Server>(open: () => Promise<S>): () => Promise<S> {
  let shared: Promise<S & { restore: ReturnType<typeof saveServer> }> | undefined
  afterAll(async () => (await shared)?.[Symbol.asyncDispose]())
  return async () => {
    shared ??= open().then((server) => ({ ...server, restore: saveServer(server) }))
    const server = await shared
    return server.restore ? { ...server, [Symbol.asyncDispose]: server.restore } : open()
  }
}

/** Returns a function that sets a server's database, files and clock back to what they are now, or undefined on PostgreSQL. */
function saveServer({ deps, folder, clock }: Server): (() => Promise<void>) | undefined {
  const restoreDatabase = saveTestDatabase(deps.db)
  const { now } = clock
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, bytes: readFileSync(path) }))
  return (
    restoreDatabase &&
    (async () => {
      await restoreDatabase()
      for (const { path, bytes } of files) {
        rmSync(path, { force: true })
        writeFileSync(path, bytes)
      }
      clock.now = now
    })
  )
}
