import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { no, startSmtp } from '../support/start-smtp.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, MAIL_FROM: 'Neptune <files@acme.example>' }
const patience = { timeout: 60_000, interval: 50 }

/** A Neptune that can be killed and started again on the same data. */
async function startOffice(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-office-'))
  const start = () => startNeptune({ ...settings, DATA_DIR: join(folder, 'data'), ...more })
  let neptune = await start()
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${neptune.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  /** Whatever becomes of the mail, whoever asked for it has an answer within a second. */
  const ask = async (...given: Parameters<typeof post>) => {
    const begun = performance.now()
    const reply = await post(...given)
    expect(performance.now() - begun, given[0]).toBeLessThan(1000)
    return reply
  }
  const bearer = async () => ({ authorization: `Bearer ${(await (await post('/v1/identity/login', admin)).json()).token}` })
  let headers = await bearer()
  return {
    folder,
    url: () => neptune.url,
    output: () => neptune.output(),
    sendTest: (to: string) => ask('/v1/admin/mail/test', { to }, headers),
    forgot: (email: string, more: Record<string, string> = {}) => ask('/v1/identity/forgot', { email }, more),
    again: (id: string) => fetch(`${neptune.url}/v1/admin/mail/${id}/again`, { method: 'POST', headers }),
    list: async () => (await (await fetch(`${neptune.url}/v1/admin/mail`, { headers })).json()).data,
    kill: () => neptune[Symbol.asyncDispose](),
    stop: () => neptune.stop(),
    async restart() {
      neptune = await start()
      headers = await bearer()
    },
    async [Symbol.asyncDispose]() {
      await neptune[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Office = Awaited<ReturnType<typeof startOffice>>
type Smtp = Awaited<ReturnType<typeof startSmtp>>

const addressees = (smtp: Smtp) => smtp.mails.flatMap(({ to }) => to)
const stateOf = async (office: Office) => (await office.list())[0]?.state

/** Once a later mail has arrived, an earlier one had every chance to arrive twice. */
async function expectOnce(office: Office, smtp: Smtp, to: string) {
  await vi.waitFor(() => expect(addressees(smtp)).toContain(to), patience)
  await office.sendTest('later@acme.example')
  await vi.waitFor(() => expect(addressees(smtp)).toContain('later@acme.example'), patience)
  expect(addressees(smtp).filter((address) => address === to)).toHaveLength(1)
  await vi.waitFor(
    async () => expect((await office.list()).map((mail: { state: string }) => mail.state)).toEqual(['sent', 'sent']),
    patience,
  )
}

describe.concurrent('F23: mail', () => {
  it('arrives as text and page, from the sender set, with a link to PUBLIC_URL', async () => {
    await using smtp = await startSmtp()
    await using office = await startOffice({ SMTP_URL: smtp.url, PUBLIC_URL: 'https://files.acme.example' })
    await office.forgot(admin.email, { 'x-forwarded-host': 'evil.example' })
    await vi.waitFor(() => expect(smtp.mails.length).toBe(1), patience)
    const [mail] = smtp.mails
    expect(mail?.to).toEqual([admin.email])
    expect(mail?.text).toContain('From: Neptune <files@acme.example>')
    expect(mail?.text).toContain('Content-Type: text/html')
    expect(mail?.text.replaceAll('=\r\n', '')).toMatch(/^https:\/\/files\.acme\.example\/reset\/[\w-]{44}\r?$/m)
    expect(mail?.text).not.toContain('evil')
  })

  it('is a file in the outbox folder, and a line in the log, while no mail server is set', async () => {
    await using office = await startOffice()
    await office.sendTest('kim@acme.example')
    await vi.waitFor(async () => expect(await stateOf(office)).toBe('sent'), patience)
    const outbox = join(office.folder, 'data/outbox')
    const [name = '', ...others] = readdirSync(outbox)
    expect(name).toMatch(/\.eml$/)
    expect(others).toEqual([])
    expect(readFileSync(join(outbox, name), 'utf8')).toContain('To: kim@acme.example')
    expect(office.output()).toContain(name)
  })

  it('waits for a mail server that is down, and arrives once when it is back', async () => {
    const port = await freePort()
    await using office = await startOffice({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    expect((await office.sendTest('kim@acme.example')).status).toBe(200)
    expect((await office.forgot('nobody@acme.example')).status).toBe(204)
    await vi.waitFor(async () => expect((await office.list()).at(-1)?.problem).toContain('ECONNREFUSED'), patience)
    await using smtp = await startSmtp({}, port)
    await expectOnce(office, smtp, 'kim@acme.example')
  })

  it('outlasts a server that turns everybody away at the door', async () => {
    await using smtp = await startSmtp({
      connect: (count) => {
        if (count <= 2) throw no(554, 'No service here')
      },
    })
    await using office = await startOffice({ SMTP_URL: smtp.url })
    await office.sendTest('kim@acme.example')
    await expectOnce(office, smtp, 'kim@acme.example')
    expect(smtp.counts.connect).toBeGreaterThanOrEqual(4)
  })

  it.each([
    ['the address', 451, 'rcpt'],
    ['the address', 550, 'rcpt'],
    ['the text', 452, 'data'],
    ['the text', 554, 'data'],
  ] as const)('outlasts a no to %s, %i the first time', async (_, code, step) => {
    await using smtp = await startSmtp({
      [step]: (count: number) => {
        if (count === 1) throw no(code, 'Not now')
      },
    })
    await using office = await startOffice({ SMTP_URL: smtp.url })
    await office.sendTest('kim@acme.example')
    await vi.waitFor(async () => expect((await office.list())[0]?.problem).toContain('Not now'), patience)
    await expectOnce(office, smtp, 'kim@acme.example')
  })

  it('arrives once at a server that is slow to answer, and holds nobody up meanwhile', async () => {
    const answer = Promise.withResolvers<void>()
    await using smtp = await startSmtp({ data: (count) => (count === 1 ? answer.promise : undefined) })
    await using office = await startOffice({ SMTP_URL: smtp.url })
    expect((await office.sendTest('kim@acme.example')).status).toBe(200)
    await vi.waitFor(async () => expect(await stateOf(office)).toBe('sending'), patience)
    await office.sendTest('other@acme.example')
    await vi.waitFor(() => expect(addressees(smtp)).toEqual(['kim@acme.example', 'other@acme.example']), patience)
    answer.resolve()
    await vi.waitFor(async () => expect((await office.list()).at(-1).state).toBe('sent'), patience)
    expect(addressees(smtp)).toHaveLength(2)
  })

  it('that hangs does not hold up the others when the server drops one of them', async () => {
    const answer = Promise.withResolvers<void>()
    await using smtp = await startSmtp({
      rcpt: (count) => {
        if (count === 2) throw no(421, 'Closing')
      },
      data: (count) => (count === 1 ? answer.promise : undefined),
    })
    await using office = await startOffice({ SMTP_URL: smtp.url })
    await office.sendTest('first@acme.example')
    await vi.waitFor(() => expect(smtp.mails.length).toBe(1), patience)
    for (const name of ['second', 'third', 'fourth']) await office.sendTest(`${name}@acme.example`)
    await vi.waitFor(() => expect(addressees(smtp)).toHaveLength(4), patience)
    answer.resolve()
  })

  it('whose answer is no answer may have arrived, so it is not sent again', async () => {
    await using smtp = await startSmtp({
      data: (count) => {
        if (count === 1) throw no(354, 'Go on with http://files.acme.example/reset/AAAAAAAAAAAAAAAAAAAAAAAAAAAA')
      },
    })
    await using office = await startOffice({ SMTP_URL: smtp.url })
    await office.sendTest('kim@acme.example')
    await vi.waitFor(async () => expect(await stateOf(office)).toBe('unconfirmed'), patience)
    expect((await office.list())[0].problem).not.toContain('AAAA')
  })

  it('a stop waits for the answer to what is out already', async () => {
    const answer = Promise.withResolvers<void>()
    await using smtp = await startSmtp({ data: (count) => (count === 1 ? answer.promise : undefined) })
    await using office = await startOffice({ SMTP_URL: smtp.url })
    await office.sendTest('kim@acme.example')
    await vi.waitFor(() => expect(smtp.mails.length).toBe(1), patience)
    const stopped = office.stop()
    await vi.waitFor(() => expect(office.output()).toContain('Neptune is stopping'), patience)
    answer.resolve()
    await stopped
    await office.restart()
    expect(await stateOf(office)).toBe('sent')
  })
})

/** Sends a mail and kills Neptune when the server has come so far with it, and answers only then. Starts it again. The mail's id. */
async function killInFlight(office: Office, expectCome: () => void, answer: () => void): Promise<string> {
  const { id } = (await (await office.sendTest('kim@acme.example')).json()).data
  await vi.waitFor(expectCome, patience)
  await office.kill()
  answer()
  await office.restart()
  return id
}

describe.concurrent('F23: a mail in flight when Neptune is killed', () => {
  it('arrives once if it could not leave before', async () => {
    const port = await freePort()
    await using office = await startOffice({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    await office.sendTest('kim@acme.example')
    await office.kill()
    await using smtp = await startSmtp({}, port)
    await office.restart()
    await expectOnce(office, smtp, 'kim@acme.example')
  })

  it('arrives once if the server had not seen its text', async () => {
    const answer = Promise.withResolvers<void>()
    await using smtp = await startSmtp({ rcpt: (count) => (count === 1 ? answer.promise : undefined) })
    await using office = await startOffice({ SMTP_URL: smtp.url })
    await killInFlight(office, () => expect(smtp.counts.rcpt).toBe(1), answer.resolve)
    await expectOnce(office, smtp, 'kim@acme.example')
  })

  it('is not sent twice if the server had it: an admin is shown so, and decides', async () => {
    const answer = Promise.withResolvers<void>()
    await using smtp = await startSmtp({ data: (count) => (count === 1 ? answer.promise : undefined) })
    await using office = await startOffice({ SMTP_URL: smtp.url })
    const id = await killInFlight(office, () => expect(smtp.mails.length).toBe(1), answer.resolve)
    await vi.waitFor(async () => expect(await stateOf(office)).toBe('unconfirmed'), patience)
    expect(smtp.mails).toHaveLength(1)
    expect((await office.again(id)).status).toBe(200)
    await vi.waitFor(async () => expect(await stateOf(office)).toBe('sent'), patience)
    const ids = smtp.mails.map((mail) => /^Message-ID: (.*)$/m.exec(mail.text)?.[1])
    expect(new Set(ids).size).toBe(1) // so that a reader can tell it is the same
    expect(ids).toHaveLength(2)
  })
})
