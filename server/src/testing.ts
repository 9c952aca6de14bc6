import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@neptune/contract'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterEach } from 'vitest'
import { buildApp } from './app.ts'
import { openDiskBlobs } from './blobs/disk/disk-store.ts'
import { readConfig } from './config.ts'
import { openTestDatabase } from './db/testing.ts'
import type { Deps } from './deps.ts'
import { insertCompany } from './features/company/company.repo.ts'
import { createMailQueue } from './features/outbox/mail-queue.service.ts'
import { startSession } from './features/session/session.service.ts'
import { findUserByEmail, insertUser } from './features/user/user.repo.ts'
import { checkReplies } from './http/openapi/check-replies.ts'
import { deliverDue } from './lib/concurrency/delivery.ts'
import { hashPassword } from './lib/password/passwords.ts'
import { deriveKeys, newId, newToken } from './lib/secrets.ts'
import type { Mailer, Message } from './mail/mailer.ts'
import { composeEmail } from './process/compose-email.ts'

export const password = 'correct horse battery staple'
const passwordHash = hashPassword(password)
/** The browser of all test users, so that they get no emails about new browsers. */
const testBrowser = newToken('npb')

/** Replies of the current test's servers that the contract does not declare. */
const mismatches: string[] = []

// Fails every test whose server sent such a reply, whether or not the test looked at it.
afterEach(() => {
  const found = [...new Set(mismatches.splice(0))]
  if (found.length > 0) throw new Error(`Replies do not match the contract:\n${found.join('\n')}`)
})

/** Starts a whole server on an empty database of its own, with a clock that moves only when the test sets it. */
export async function startTestServer(environment: Record<string, string> = {}, options: Parameters<typeof buildApp>[1] = {}) {
  const db = await openTestDatabase({ isMigrated: true })
  const logLines: string[] = []
  const sentEmails: Message[] = []
  const folder = mkdtempSync(join(tmpdir(), 'neptune-test-'))
  const clock = { now: new Date('2026-12-01T09:00:00.000Z') }
  const deps: Deps = {
    // Settings are not cached, so that a test hangs if code inside a transaction reads them through another connection.
    config: { ...readConfig({ PORT: '3000', DATA_DIR: folder, ...environment }), settingsMaxAgeMs: 0 },
    keys: deriveKeys('test key test key test key test key'),
    db,
    blobs: await openDiskBlobs(folder),
    mailer: createMemoryMailer(sentEmails),
    log: pino({ level: 'debug', base: null }, { write: (line: string) => void logLines.push(line) }),
    now: () => clock.now,
  }
  const app = buildApp(deps, options)
  app.liveTiming = { pollIntervalMs: 20, maxConnectionMs: 0 }
  checkReplies(app, (mismatch) => mismatches.push(mismatch))
  await app.ready()

  return {
    app,
    deps,
    logLines,
    clock,
    /** The emails sent so far. */
    sentEmails,
    /** The data folder. */
    folder,
    /** Behaves as if a mail server were set up, instead of saving emails as files. */
    pretendMailServer: () => {
      const { settings, smtpServer } = readConfig({ ...environment, SMTP_URL: 'smtp://mail.acme.example' })
      Object.assign(deps.config, { settings, smtpServer })
    },
    /** Sends the emails that are due. */
    deliver: () => deliverDue(createMailQueue(deps, composeEmail)),
    advance: (milliseconds: number) => {
      clock.now = new Date(clock.now.getTime() + milliseconds)
    },
    ...createStaffHelpers(deps, app),
    /** Listens on a port, for tests that need a real connection. */
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    /** Calls an endpoint of the contract, with `x` for each path parameter. */
    call: (endpoint: Endpoint, options: Partial<InjectOptions> = {}) =>
      app.inject({ method: endpoint.method, url: endpoint.path.replaceAll(/\{\w+\}/g, 'x'), ...options }),
    [Symbol.asyncDispose]: async () => {
      // Otherwise closing waits for clients that keep their connection open or have not read their reply.
      const closeTimer = setInterval(() => app.server.closeIdleConnections(), 10)
      await app.close()
      clearInterval(closeTimer)
      await db.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function createStaffHelpers(deps: Deps, app: FastifyInstance) {
  const { db } = deps
  let companies = 0
  return {
    /** Adds a staff account, in a new company unless one is given. Returns its id. */
    async addUser(user: { email: string; role?: 'NEPTUNE_USER' | 'NEPTUNE_ADMIN'; company_id?: string }) {
      const created_at = deps.now().toISOString()
      const company_id = user.company_id ?? newId()
      if (!user.company_id)
        await insertCompany(db, { id: company_id, name: companies++ ? `Acme ${companies}` : 'Acme GmbH', created_at })
      const row = {
        id: newId(),
        company_id,
        name: 'Kim Doe',
        role: 'NEPTUNE_USER' as const,
        generation: 0,
        suspended_at: null,
        created_at,
      }
      await insertUser(db, { ...row, ...user, password_hash: await passwordHash })
      return row.id
    },
    signIn: (
      email: string,
      secret = password,
      more: { remember?: boolean; path?: string; headers?: Record<string, string> } = {},
    ) =>
      app.inject({
        method: 'POST',
        url: more.path ?? '/v1/identity/login',
        headers: more.headers ?? {},
        payload: { email, password: secret, ...(more.remember !== undefined && { remember: more.remember }) },
      }),
    /** Starts a session and returns its header. Skips the password check, which takes a tenth of a second. */
    async startSessionAs(email: string) {
      const user = await findUserByEmail(db, email)
      if (!user || user.suspended_at || user.invitation_id) throw new Error(`${email} cannot sign in`)
      const caller = { address: '127.0.0.1', agent: '', browser: testBrowser }
      const proof = { method: 'password' as const, secondFactor: null, remember: false }
      const { session } = await startSession(deps, caller, user, proof)
      return toBearerHeader(session.token)
    },
    restore: (cookie: string, headers: Record<string, string> = { 'x-neptune': '1' }) =>
      app.inject({ method: 'POST', url: '/v1/identity/session', headers: { cookie, ...headers } }),
  }
}

const createMemoryMailer = (sentEmails: Message[]): Mailer => ({
  async send(message, _server, confirmClaim) {
    if (await confirmClaim()) sentEmails.push(message)
  },
})

/** Returns the body without its request id, to check that two replies cannot be told apart. */
export const withoutRequestId = ({ body, headers }: { body: string; headers: Record<string, unknown> }) =>
  body.replace(`"requestId":"${headers['x-request-id']}"`, '"requestId":""')

export const toBearerHeader = (token: string) => ({ authorization: `Bearer ${token}` })
