import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createUpload, postCode, shareDirectory } from '../support/migration-steps.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { postLogin, settings, type signInAdmin, startSignedIn } from '../support/start-signed-in.ts'

const pollOptions = { timeout: 20_000 }

it('F13: keeps reading from a read-only PostgreSQL, rejects writes, and recovers afterwards', async () => {
  const postgres = await startPostgres()
  const setReadOnly = async (value: 'on' | 'off') => {
    await postgres.query(`alter system set default_transaction_read_only = ${value}`)
    await postgres.query('select pg_reload_conf()')
  }
  try {
    // With a short idle timeout, the server soon tries to record session activity.
    const more = { DATABASE_URL: postgres.url, SESSION_IDLE_MINUTES: '1', LOG_LEVEL: 'warn', SECRET_KEY }
    await using neptune = await startSignedIn(more)
    const bytes = randomBytes(300_000)
    expect((await neptune.put('kept.bin', bytes)).status).toBe(200)
    const link = await shareDirectory(neptune)
    const [upload, other] = [await createUpload(neptune), await createUpload(neptune)]

    await setReadOnly('on')
    const write = () => neptune.send('POST', '/v1/directory', { directory: 'New', client: neptune.company })
    await expect.poll(async () => (await write()).status, pollOptions).not.toBe(200)

    // Reading works even after recording the session activity has failed.
    await expect
      .poll(async () => {
        expect(await neptune.names()).toEqual(['kept.bin'])
        return neptune.output()
      }, pollOptions)
      .toContain('a session could not be extended')
    await expectReadable(neptune, link, bytes)
    expect((await sendTus(neptune, upload, 'HEAD')).status).toBe(200)
    await expectRejected([
      await write(),
      await postLogin(neptune.url),
      await neptune.put('lost.bin', bytes),
      await sendTus(neptune, upload, 'PATCH', randomBytes(1000)),
      await sendTus(neptune, other, 'DELETE'),
      ...(await changeFile(neptune)),
      await neptune.send('DELETE', `/v1/link/${link.key}`),
      await neptune.send('POST', '/v1/admin/company', { name: 'New' }),
      await neptune.send('DELETE', '/v1/identity'),
      await postCode(neptune.url, link.key, link.accessCode),
    ])
    {
      // A node that starts in this state does the same.
      await using second = await startSecond(neptune, more)
      expect((await fetch(`${second.url}/v1/stats`, { headers: neptune.headers })).status).toBe(200)
      expect((await postLogin(second.url)).status).toBe(503)
    }

    await setReadOnly('off')
    await expect.poll(async () => (await write()).status, { timeout: 10_000 }).toBe(200)
    expect((await postLogin(neptune.url)).status).toBe(200)
    expect((await neptune.put('again.bin', bytes)).status).toBe(200)
    const state = await sendTus(neptune, upload, 'HEAD')
    if (state.headers.get('upload-offset') === '0') await sendTus(neptune, upload, 'PATCH', randomBytes(1000))
    expect(await neptune.names()).toEqual(['again.bin', 'half.bin', 'kept.bin'])
    expect((await postCode(neptune.url, link.key, link.accessCode)).status).toBe(200)
    expect(neptune.output()).not.toContain('"code":"server.failed"')
  } finally {
    await postgres.stop()
  }
})

const SECRET_KEY = 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9'

type Neptune = Awaited<ReturnType<typeof signInAdmin>>
/** Starts a second node with the same file storage. */
function startSecond({ folder }: Neptune, more: Record<string, string>) {
  const DATA_DIR = join(folder, 'second')
  mkdirSync(DATA_DIR, { mode: 0o700 })
  copyFileSync(join(folder, 'data/store.id'), join(DATA_DIR, 'store.id'))
  return startNeptune({ ...settings, ...more, DATA_DIR })
}

type Shared = Awaited<ReturnType<typeof shareDirectory>>

/** Expects lists, details and downloads to work, for staff, for a recipient and with a ticket. */
async function expectReadable(neptune: Neptune, link: Shared, bytes: Buffer) {
  const [file] = await neptune.list()
  for (const path of [
    '/readyz',
    '/v1/identity',
    '/v1/identity/session',
    '/v1/stats',
    '/v1/admin/company',
    '/v1/admin/user',
    '/v1/admin/mail',
    '/v1/directory',
    `/v1/directory/${neptune.directory}`,
    '/v1/file?search=kept',
    '/v1/file?trash=true',
    '/v1/link',
    `/v1/link/${link.key}/info`,
    `/v1/link/${link.key}/activity`,
    `/v1/link/${link.key}/receipt`,
    '/v1/ask',
    '/v1/activity',
  ])
    expect((await neptune.get(path)).status, path).toBe(200)
  const { url: ticket } = (await (await neptune.send('POST', `/v1/file/${file?.id}/ticket`)).json()).data
  for (const [path, headers] of [
    [`/v1/file/${file?.id}`, neptune.headers],
    [`/v1/file/${file?.id}`, link.headers],
    [ticket, {}],
  ] as const) {
    const reply = await fetch(neptune.url + path, { headers })
    expect(Buffer.from(await reply.arrayBuffer()), path).toEqual(bytes)
  }
  expect((await neptune.get(`/v1/directory/${neptune.directory}/zip`)).status).toBe(200)
  for (const path of ['/v1/access', '/v1/file', `/v1/directory/${neptune.directory}/zip`])
    expect((await fetch(neptune.url + path, { headers: link.headers })).status, path).toBe(200)
}

async function expectRejected(replies: Response[]) {
  for (const rejected of replies) {
    expect(rejected.status, rejected.url).toBe(503)
    expect(rejected.headers.get('retry-after'), rejected.url).toBe('5')
    expect(await rejected.json()).toMatchObject({ code: 'server.unavailable' })
  }
}

async function changeFile({ send, list }: Neptune) {
  const path = `/v1/file/${(await list())[0]?.id}`
  return [await send('DELETE', path), await send('PATCH', path, { file_name: 'other.bin' })]
}

const tusVersion = { 'tus-resumable': '1.0.0' }

const sendTus = ({ url, headers }: Neptune, path: string, method: string, body?: Buffer<ArrayBuffer>) =>
  fetch(url + path, {
    method,
    headers: {
      ...headers,
      ...tusVersion,
      ...(body && { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }),
    },
    ...(body && { body }),
  })
