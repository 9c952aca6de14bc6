import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { findFreePort } from '../support/services/free-port.ts'
import { makeSmtpError, startSmtp } from '../support/services/start-smtp.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, MAIL_FROM: 'Neptune <files@acme.example>' }
const pollOptions = { timeout: 60_000, interval: 50 }

/** Starts a server that can be killed and restarted on the same data. */
async function startRestartable(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-mail-'))
  const start = () => startNeptune({ ...settings, DATA_DIR: join(folder, 'data'), ...more })
  let neptune = await start()
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${neptune.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  /** Posts a request that must return within a second, whatever happens to the email. */
  const postQuickly = async (...args: Parameters<typeof post>) => {
    const startedAt = performance.now()
    const reply = await post(...args)
    expect(performance.now() - startedAt, args[0]).toBeLessThan(1000)
    return reply
  }
  const { token } = await (await post('/v1/identity/login', admin)).json()
  const headers = { authorization: `Bearer ${token}` }
  return {
    folder,
    url: () => neptune.url,
    output: () => neptune.output(),
    sendTest: (to: string) => postQuickly('/v1/admin/mail/test', { to }, headers),
    requestPasswordReset: (email: string, more: Record<string, string> = {}) =>
      postQuickly('/v1/identity/forgot', { email }, more),
    resend: (id: string) => fetch(`${neptune.url}/v1/admin/mail/${id}/again`, { method: 'POST', headers }),
    list: async () => (await (await fetch(`${neptune.url}/v1/admin/mail`, { headers })).json()).data,
    kill: () => neptune[Symbol.asyncDispose](),
    stop: () => neptune.stop(),
    /** Keeps the session, because another sign-in would send an email about a new browser. */
    async restart() {
      neptune = await start()
    },
    async [Symbol.asyncDispose]() {
      await neptune[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Server = Awaited<ReturnType<typeof startRestartable>>
type Smtp = Awaited<ReturnType<typeof startSmtp>>

const listRecipients = (smtp: Smtp) => smtp.messages.flatMap(({ to }) => to)
const readState = async (server: Server) => (await server.list())[0]?.state

/** Expects one email to this address. Waits until a later email has arrived, by when a duplicate would have arrived, too. */
async function expectOnce(server: Server, smtp: Smtp, to: string) {
  await vi.waitFor(() => expect(listRecipients(smtp)).toContain(to), pollOptions)
  await server.sendTest('later@acme.example')
  await vi.waitFor(() => expect(listRecipients(smtp)).toContain('later@acme.example'), pollOptions)
  expect(listRecipients(smtp).filter((address) => address === to)).toHaveLength(1)
  await vi.waitFor(
    async () => expect((await server.list()).map((mail: { state: string }) => mail.state)).toEqual(['sent', 'sent']),
    pollOptions,
  )
}

describe.concurrent('F23: an email', () => {
  it('arrives as text and HTML, from the configured sender, with a link to PUBLIC_URL', async () => {
    await using smtp = await startSmtp()
    await using server = await startRestartable({ SMTP_URL: smtp.url, PUBLIC_URL: 'https://files.acme.example' })
    await server.requestPasswordReset(admin.email, { 'x-forwarded-host': 'evil.example' })
    await vi.waitFor(() => expect(smtp.messages.length).toBe(1), pollOptions)
    const [mail] = smtp.messages
    expect(mail?.to).toEqual([admin.email])
    expect(mail?.text).toContain('From: Neptune <files@acme.example>')
    expect(mail?.text).toContain('Content-Type: text/html')
    expect(mail?.text.replaceAll('=\r\n', '')).toMatch(/^https:\/\/files\.acme\.example\/reset\/[\w-]{44}\r?$/m)
    expect(mail?.text).not.toContain('evil')
  })

  it('becomes a file in the outbox folder and a log entry while no mail server is set', async () => {
    await using server = await startRestartable()
    await server.sendTest('kim@acme.example')
    await vi.waitFor(async () => expect(await readState(server)).toBe('saved'), pollOptions)
    const outbox = join(server.folder, 'data/outbox')
    const [name = '', ...others] = readdirSync(outbox)
    expect(name).toMatch(/\.eml$/)
    expect(others).toEqual([])
    expect(readFileSync(join(outbox, name), 'utf8')).toContain('To: kim@acme.example')
    expect(server.output()).toContain(name)
  })

  it('waits for a mail server that is down, and arrives once when it is back', async () => {
    const port = await findFreePort()
    await using server = await startRestartable({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    expect((await server.sendTest('kim@acme.example')).status).toBe(200)
    expect((await server.requestPasswordReset('nobody@acme.example')).status).toBe(204)
    await vi.waitFor(async () => expect((await server.list()).at(-1)?.problem).toContain('ECONNREFUSED'), pollOptions)
    await using smtp = await startSmtp({}, port)
    await expectOnce(server, smtp, 'kim@acme.example')
  })

  it('arrives once although the server rejects the first connections', async () => {
    await using smtp = await startSmtp({
      connect: (count) => {
        if (count <= 2) throw makeSmtpError(554, 'No service here')
      },
    })
    await using server = await startRestartable({ SMTP_URL: smtp.url })
    await server.sendTest('kim@acme.example')
    await expectOnce(server, smtp, 'kim@acme.example')
    expect(smtp.counts.connect).toBeGreaterThanOrEqual(4)
  })

  it.each([
    ['RCPT', 451, 'rcpt'],
    ['RCPT', 550, 'rcpt'],
    ['DATA', 452, 'data'],
    ['DATA', 554, 'data'],
  ] as const)('arrives once although the server rejects the first %s with %i', async (_, code, step) => {
    await using smtp = await startSmtp({
      [step]: (count: number) => {
        if (count === 1) throw makeSmtpError(code, 'Not now')
      },
    })
    await using server = await startRestartable({ SMTP_URL: smtp.url })
    await server.sendTest('kim@acme.example')
    await vi.waitFor(async () => expect((await server.list())[0]?.problem).toContain('Not now'), pollOptions)
    await expectOnce(server, smtp, 'kim@acme.example')
  })

  it('arrives once at a slow server, without delaying others', async () => {
    const response = Promise.withResolvers<void>()
    await using smtp = await startSmtp({ data: (count) => (count === 1 ? response.promise : undefined) })
    await using server = await startRestartable({ SMTP_URL: smtp.url })
    expect((await server.sendTest('kim@acme.example')).status).toBe(200)
    await vi.waitFor(async () => expect(await readState(server)).toBe('sending'), pollOptions)
    await server.sendTest('other@acme.example')
    await vi.waitFor(() => expect(listRecipients(smtp)).toEqual(['kim@acme.example', 'other@acme.example']), pollOptions)
    response.resolve()
    await vi.waitFor(async () => expect((await server.list()).at(-1).state).toBe('sent'), pollOptions)
    expect(listRecipients(smtp)).toHaveLength(2)
  })

  it('that hangs does not delay later ones when the mail server drops a connection', async () => {
    const response = Promise.withResolvers<void>()
    await using smtp = await startSmtp({
      rcpt: (count) => {
        if (count === 2) throw makeSmtpError(421, 'Closing')
      },
      data: (count) => (count === 1 ? response.promise : undefined),
    })
    await using server = await startRestartable({ SMTP_URL: smtp.url })
    await server.sendTest('first@acme.example')
    await vi.waitFor(() => expect(smtp.messages.length).toBe(1), pollOptions)
    for (const name of ['second', 'third', 'fourth']) await server.sendTest(`${name}@acme.example`)
    await vi.waitFor(() => expect(listRecipients(smtp)).toHaveLength(4), pollOptions)
    response.resolve()
  })

  it('is not resent after an invalid response, because it may have arrived', async () => {
    await using smtp = await startSmtp({
      data: (count) => {
        if (count === 1) throw makeSmtpError(354, 'Go on with http://files.acme.example/reset/AAAAAAAAAAAAAAAAAAAAAAAAAAAA')
      },
    })
    await using server = await startRestartable({ SMTP_URL: smtp.url })
    await server.sendTest('kim@acme.example')
    await vi.waitFor(async () => expect(await readState(server)).toBe('unconfirmed'), pollOptions)
    expect((await server.list())[0].problem).not.toContain('AAAA')
  })

  it('that is being sent delays shutdown until the server responds', async () => {
    const response = Promise.withResolvers<void>()
    await using smtp = await startSmtp({ data: (count) => (count === 1 ? response.promise : undefined) })
    await using server = await startRestartable({ SMTP_URL: smtp.url })
    await server.sendTest('kim@acme.example')
    await vi.waitFor(() => expect(smtp.messages.length).toBe(1), pollOptions)
    const stopped = server.stop()
    await vi.waitFor(() => expect(server.output()).toContain('Neptune is stopping'), pollOptions)
    response.resolve()
    await stopped
    await server.restart()
    expect(await readState(server)).toBe('sent')
  })
})

/**
 * Sends an email, kills Neptune once `expectProgress` passes, lets the mail server respond, and restarts Neptune. Returns the email's id.
 */
async function killInFlight(server: Server, expectProgress: () => void, respond: () => void): Promise<string> {
  const { id } = (await (await server.sendTest('kim@acme.example')).json()).data
  await vi.waitFor(expectProgress, pollOptions)
  await server.kill()
  respond()
  await server.restart()
  return id
}

describe.concurrent('F23: an email in flight when Neptune is killed', () => {
  it('arrives once if it could not be sent before', async () => {
    const port = await findFreePort()
    await using server = await startRestartable({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    await server.sendTest('kim@acme.example')
    await server.kill()
    await using smtp = await startSmtp({}, port)
    await server.restart()
    await expectOnce(server, smtp, 'kim@acme.example')
  })

  it('arrives once if the mail server had not received its text', async () => {
    const response = Promise.withResolvers<void>()
    await using smtp = await startSmtp({ rcpt: (count) => (count === 1 ? response.promise : undefined) })
    await using server = await startRestartable({ SMTP_URL: smtp.url })
    await killInFlight(server, () => expect(smtp.counts.rcpt).toBe(1), response.resolve)
    await expectOnce(server, smtp, 'kim@acme.example')
  })

  it('is not sent twice if the mail server had received it: an admin decides whether to resend it', async () => {
    const response = Promise.withResolvers<void>()
    await using smtp = await startSmtp({ data: (count) => (count === 1 ? response.promise : undefined) })
    await using server = await startRestartable({ SMTP_URL: smtp.url })
    const id = await killInFlight(server, () => expect(smtp.messages.length).toBe(1), response.resolve)
    await vi.waitFor(async () => expect(await readState(server)).toBe('unconfirmed'), pollOptions)
    expect(smtp.messages).toHaveLength(1)
    expect((await server.resend(id)).status).toBe(200)
    await vi.waitFor(async () => expect(await readState(server)).toBe('sent'), pollOptions)
    const ids = smtp.messages.map((mail) => /^Message-ID: (.*)$/m.exec(mail.text)?.[1])
    expect(new Set(ids).size).toBe(1) // so that mail clients recognize the duplicate
    expect(ids).toHaveLength(2)
  })
})
