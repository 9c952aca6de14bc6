import { createRequire } from 'node:module'
import { isIPv4 } from 'node:net'
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../lib/net/mail-server.ts'
import { type ConfirmClaim, MailError, type MailFailure, type Message } from './mailer.ts'
import { toMime } from './mime.ts'

const require = createRequire(import.meta.url)

interface Failure extends Error {
  code?: string
  responseCode?: number
}

/** Timeouts of the steps before the message body. The response to the body may take ten minutes (RFC 5321, section 4.5.3.2). */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: 10 * 60_000 }
const envelopeTimeoutMs = 60_000
const responseTimeoutMs = 10 * 60_000

/**
 * Returns how to connect. TLS is used whenever the server offers it. A password is sent only over TLS and only to a server with a valid
 * certificate, except on localhost, where nobody can intercept it and no authority issues certificates.
 */
export function getConnectionOptions({ host, port, isTls, user }: MailServer): SMTPConnectionOptions {
  const isLocal = host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
  const mustVerify = !isLocal && (isTls || user !== undefined)
  return { host, port, secure: isTls, requireTLS: mustVerify && !isTls, tls: { rejectUnauthorized: mustVerify } }
}

/** Loads the SMTP client with the first message, because installations without a mail server don't need it. */
const loadConnection = (): typeof SMTPConnection => require('nodemailer/lib/smtp-connection')

export async function sendBySmtp(server: MailServer, message: Message, confirmClaim: ConfirmClaim) {
  const Connection = loadConnection()
  const auth = server.user === undefined ? undefined : { user: server.user, pass: server.password ?? '' }
  const mime = await toMime(message)
  const connection = new Connection({ ...getConnectionOptions(server), ...timeouts, logger: false })
  const disconnected = new Promise<never>((_, reject) => {
    connection.once('error', reject)
    connection.once('end', () => reject(new Error('The mail server closed the connection')))
  })
  disconnected.catch(() => undefined) // no unhandled rejection when no step is pending
  const failOnDisconnect = <T>(step: Promise<T>) => Promise.race([step, disconnected])
  const onTimeout = () => connection.emit('error', new Error('no response in time'))
  let deadline = setTimeout(onTimeout, envelopeTimeoutMs)
  let stage: 'greeting' | 'envelope' | 'handed over' = 'greeting'
  try {
    await failOnDisconnect(
      new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve()))),
    )
    if (auth)
      await failOnDisconnect(new Promise<void>((resolve, reject) => connection.login(auth, (e) => (e ? reject(e) : resolve()))))
    stage = 'envelope'
    const envelope = { from: message.from.address, to: [message.to], size: mime.length }
    const body = Readable.from(streamBodyAndHandOver())
    await failOnDisconnect(
      new Promise<void>((resolve, reject) => connection.send(envelope, body, (e) => (e ? reject(e) : resolve()))),
    )
    connection.quit()
  } catch (error) {
    if (error instanceof MailError) throw error
    const failure = classifyFailure(error as Failure, stage)
    throw new MailError(failure, describeFailure(failure, error as Failure, server))
  } finally {
    clearTimeout(deadline)
    connection.close()
  }

  /** Streams the body. The server accepts a message when it receives the final dot, which is sent only after this stream ends. */
  async function* streamBodyAndHandOver() {
    clearTimeout(deadline)
    yield mime
    if (!(await confirmClaim())) throw new MailError('withdrawn', 'Another worker has taken this message.')
    stage = 'handed over'
    deadline = setTimeout(onTimeout, responseTimeoutMs) // even if the server keeps sending intermediate replies
  }
}

/** Classifies a failure by the server's reply or, without one, by whether the message was already handed over. */
function classifyFailure({ responseCode, code }: Failure, stage: 'greeting' | 'envelope' | 'handed over'): MailFailure {
  // A reply with any other code is treated like no reply, because it says nothing about the message.
  if (!responseCode || responseCode < 400 || responseCode > 599) return stage === 'handed over' ? 'unconfirmed' : 'unreachable'
  // The server rejects the connection or the sign-in, or is shutting down. It does not reject this message.
  if (stage === 'greeting' || code === 'EAUTH' || responseCode === 421) return 'unreachable'
  return responseCode >= 500 ? 'refused' : 'deferred'
}

/** Describes a failure for admins: what the server replied, or the network error. */
function describeFailure(failure: MailFailure, { message }: Failure, server: MailServer) {
  // Some servers quote the message they reject, and links in it may contain secrets. A server could even quote the password.
  const reason = hidePassword(message, server)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\w-]{20,}/g, '…')
    .slice(0, 300)
  return failure === 'unreachable' ? `The mail server is not available: ${reason}` : reason
}

/** Replaces the password in a text, including the forms in which SMTP sends it. */
function hidePassword(text: string, { user = '', password = '' }: MailServer): string {
  const encode = (value: string) => Buffer.from(value).toString('base64')
  const forms = password ? [password, encode(password), encode(`\0${user}\0${password}`)] : []
  return forms.reduce((hidden, form) => hidden.replaceAll(form, '…'), text)
}
