import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { beginUpload, shareDirectory, verify } from '../support/moving.ts'
import { login, settings, type signIn, startSignedIn } from '../support/signed-in.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { startPostgres } from '../support/start-postgres.ts'

const patience = { timeout: 20_000 }

it('F13: a PostgreSQL that can only be read is read on, what would write is refused, and it goes on when it is over', async () => {
  const postgres = await startPostgres()
  const setReadOnly = async (value: 'on' | 'off') => {
    await postgres.query(`alter system set default_transaction_read_only = ${value}`)
    await postgres.query('select pg_reload_conf()')
  }
  try {
    // Idle soon, so that it is to be written at once that somebody is there.
    const more = { DATABASE_URL: postgres.url, SESSION_IDLE_MINUTES: '1', LOG_LEVEL: 'warn', SECRET_KEY }
    await using neptune = await startSignedIn(more)
    const bytes = randomBytes(300_000)
    expect((await neptune.put('kept.bin', bytes)).status).toBe(200)
    const link = await shareDirectory(neptune)
    const [upload, other] = [await beginUpload(neptune), await beginUpload(neptune)]

    await setReadOnly('on')
    const write = () => neptune.send('POST', '/v1/directory', { directory: 'New', client: neptune.company })
    await expect.poll(async () => (await write()).status, patience).not.toBe(200)

    // Also past the time after which it is to be written that they are still there.
    await expect
      .poll(async () => {
        expect(await neptune.names()).toEqual(['kept.bin'])
        return neptune.output()
      }, patience)
      .toContain('a session could not be extended')
    await expectRead(neptune, link, bytes)
    expect((await at(neptune, upload, 'HEAD')).status).toBe(200)
    await expectRefused([
      await write(),
      await login(neptune.url),
      await neptune.put('lost.bin', bytes),
      await at(neptune, upload, 'PATCH', randomBytes(1000)),
      await at(neptune, other, 'DELETE'),
      ...(await changesOfFile(neptune)),
      await neptune.send('DELETE', `/v1/link/${link.key}`),
      await neptune.send('POST', '/v1/admin/company', { name: 'New' }),
      await neptune.send('DELETE', '/v1/identity'),
      await verify(neptune.url, link.key, link.accessCode),
    ])
    {
      // A node that comes up meanwhile does the same.
      await using second = await startSecond(neptune, more)
      expect((await fetch(`${second.url}/v1/stats`, { headers: neptune.headers })).status).toBe(200)
      expect((await login(second.url)).status).toBe(503)
    }

    await setReadOnly('off')
    await expect.poll(async () => (await write()).status, { timeout: 10_000 }).toBe(200)
    expect((await login(neptune.url)).status).toBe(200)
    expect((await neptune.put('again.bin', bytes)).status).toBe(200)
    const stands = await at(neptune, upload, 'HEAD')
    if (stands.headers.get('upload-offset') === '0') await at(neptune, upload, 'PATCH', randomBytes(1000))
    expect(await neptune.names()).toEqual(['again.bin', 'half.bin', 'kept.bin'])
    expect((await verify(neptune.url, link.key, link.accessCode)).status).toBe(200)
    expect(neptune.output()).not.toContain('"code":"server.failed"')
  } finally {
    await postgres.stop()
  }
})

const SECRET_KEY = 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9'

type Neptune = Awaited<ReturnType<typeof signIn>>
/** With the same place for the bytes of files. */
function startSecond({ folder }: Neptune, more: Record<string, string>) {
  const DATA_DIR = join(folder, 'second')
  mkdirSync(DATA_DIR, { mode: 0o700 })
  copyFileSync(join(folder, 'data/store.id'), join(DATA_DIR, 'store.id'))
  return startNeptune({ ...settings, ...more, DATA_DIR })
}

type Shared = Awaited<ReturnType<typeof shareDirectory>>

/** Lists and single things, by staff, by a recipient and by a ticket. */
async function expectRead(neptune: Neptune, link: Shared, bytes: Buffer) {
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

async function expectRefused(replies: Response[]) {
  for (const refused of replies) {
    expect(refused.status, refused.url).toBe(503)
    expect(refused.headers.get('retry-after'), refused.url).toBe('5')
    expect(await refused.json()).toMatchObject({ code: 'server.unavailable' })
  }
}

async function changesOfFile({ send, list }: Neptune) {
  const path = `/v1/file/${(await list())[0]?.id}`
  return [await send('DELETE', path), await send('PATCH', path, { file_name: 'other.bin' })]
}

const version = { 'tus-resumable': '1.0.0' }

const at = ({ url, headers }: Neptune, path: string, method: string, body?: Buffer<ArrayBuffer>) =>
  fetch(url + path, {
    method,
    headers: {
      ...headers,
      ...version,
      ...(body && { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }),
    },
    ...(body && { body }),
  })
