import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** Hooks for the steps of a session. `count` is 1 for the first call. Throwing an error rejects the step; a promise delays it. */
interface SmtpHooks {
  connect?: (count: number) => void | Promise<void>
  rcpt?: (count: number) => void | Promise<void>
  data?: (count: number) => void | Promise<void>
}

/** Starts a real mail server. Offers TLS with a self-signed certificate, as many small servers do. */
export async function startSmtp({ connect, rcpt, data }: SmtpHooks = {}, port = 0) {
  const messages: { to: string[]; text: string }[] = []
  const counts = { connect: 0, rcpt: 0, data: 0 }
  const logins: string[] = []
  /** Runs a hook and responds with its result. */
  const runHook = (hook: (() => void | Promise<void>) | undefined, done: (error?: Error | null) => void) =>
    void (async () => hook?.())().then(() => done(), done)

  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onAuth({ username = '', password = '' }, _session, done) {
      logins.push(`${username} ${password}`)
      done(null, { user: username })
    },
    onConnect: (_, done) => runHook(() => connect?.(++counts.connect), done),
    onRcptTo: (_address, _session, done) => runHook(() => rcpt?.(++counts.rcpt), done),
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      void text(stream).then((message) => {
        const count = ++counts.data
        const store = () => messages.push({ to, text: message })
        // A rejected message is not stored. A delayed message is stored before the response is sent.
        runHook(async () => {
          const result = data?.(count)
          store()
          await result
        }, done)
      }, done) // the client disconnected in the middle of the message
    },
  })
  server.on('error', () => undefined) // these tests disconnect clients on purpose
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: listeningPort } = server.server.address() as { port: number }
  return {
    port: listeningPort,
    url: `smtp://127.0.0.1:${listeningPort}`,
    messages,
    counts,
    /** User names and passwords of the sign-ins, all of which succeed. */
    logins,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Creates an SMTP error response. */
export const makeSmtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
