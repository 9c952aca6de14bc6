import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { MailError, type Mailer, type MailFailure, type Message } from './mailer.ts'
import { loadComposer, toMime } from './mime.ts'

const require = createRequire(import.meta.url)

interface Failure extends Error {
  code?: string
  responseCode?: number
}

/** How long each step up to the text of the message may take. The answer to the text itself may take ten minutes (RFC 5321). */
const patience = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: 10 * 60_000 }
const envelopeTime = 60_000
const answerTime = 10 * 60_000

/** What sends is loaded here, because most who try Neptune out have no mail server yet. */
export function smtpMailer(url: string): Mailer {
  const Connection: typeof SMTPConnection = require('nodemailer/lib/smtp-connection')
  loadComposer()
  const { auth, ...server } = readSmtpUrl(url)
  const connect = () => new Connection({ ...server, ...patience, logger: false })
  return { way: 'smtp', send: (message, handOver) => send(connect, auth, message, handOver) }
}

/**
 * TLS is used wherever the server offers it. A password goes out over TLS alone, to a server that proved its name, unless it is this
 * machine, where there is nobody in between and no authority would vouch for the name.
 */
export function readSmtpUrl(url: string): SMTPConnectionOptions & { auth: SMTPConnectionAuth | undefined } {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isHere = host === 'localhost' || host === '::1' || /^127\./.test(host)
  const secure = protocol === 'smtps:'
  const mustBeProven = !isHere && (secure || username !== '')
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: mustBeProven && !secure,
    tls: { rejectUnauthorized: mustBeProven },
    auth: username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined,
  }
}

async function send(
  connect: () => SMTPConnection,
  auth: SMTPConnectionAuth | undefined,
  message: Message,
  handOver: () => Promise<boolean>,
) {
  const mime = await toMime(message)
  const connection = connect()
  const broken = new Promise<never>((_, reject) => {
    connection.once('error', reject)
    connection.once('end', () => reject(new Error('The mail server closed the connection')))
  })
  broken.catch(() => undefined) // also when nobody listens any more
  const within = <T>(step: Promise<T>) => Promise.race([step, broken])
  const giveUp = () => connection.emit('error', new Error('The mail server takes too long to answer'))
  let deadline = setTimeout(giveUp, envelopeTime)
  let stage: 'greeting' | 'envelope' | 'handed over' = 'greeting'
  try {
    await within(new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve()))))
    if (auth) await within(new Promise<void>((resolve, reject) => connection.login(auth, (e) => (e ? reject(e) : resolve()))))
    stage = 'envelope'
    const envelope = { from: message.from.address, to: [message.to], size: mime.length }
    const text = Readable.from(keepLastDot())
    await within(new Promise<void>((resolve, reject) => connection.send(envelope, text, (e) => (e ? reject(e) : resolve()))))
    connection.quit()
  } catch (error) {
    if (error instanceof MailError) throw error
    const failure = judge(error as Failure, stage)
    throw new MailError(failure, reasonOf(failure, error as Failure))
  } finally {
    clearTimeout(deadline)
    connection.close()
  }

  /** The server takes a message when the line with the last dot arrives. That line follows the end of this stream, and no sooner. */
  async function* keepLastDot() {
    clearTimeout(deadline)
    yield mime
    if (!(await handOver())) throw new MailError('withdrawn', 'Somebody else has it.')
    stage = 'handed over'
    deadline = setTimeout(giveUp, answerTime) // also when it keeps saying that it is busy
  }
}

/** An answer is an answer at every stage. Without one, it matters whether the message was out already. */
function judge({ responseCode, code }: Failure, stage: 'greeting' | 'envelope' | 'handed over'): MailFailure {
  // A number that is no answer to a message leaves it open what became of it, like none at all.
  if (!responseCode || responseCode < 400 || responseCode > 599) return stage === 'handed over' ? 'unconfirmed' : 'unreachable'
  // Whoever turns us away at the door, or is about to close it, does not speak of this one mail.
  if (stage === 'greeting' || code === 'EAUTH' || responseCode === 421) return 'unreachable'
  return responseCode >= 500 ? 'refused' : 'deferred'
}

/** For an admin to read: what the server said, or what the network did. */
function reasonOf(failure: MailFailure, { message }: Failure) {
  // Some servers quote what they refuse, and a link in it may open something.
  const said = message
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\w-]{20,}/g, '…')
    .slice(0, 300)
  return failure === 'unreachable' ? `The mail server cannot be used now: ${said}` : said
}
