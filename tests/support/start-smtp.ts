import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** What the server does at each step, the how-manieth connection given. Throwing an answer says no; a promise makes it slow. */
interface Manners {
  connect?: (count: number) => void | Promise<void>
  rcpt?: (count: number) => void | Promise<void>
  data?: (count: number) => void | Promise<void>
}

/** A real mail server. Offers TLS with a certificate nobody vouches for, as small ones do. */
export async function startSmtp({ connect, rcpt, data }: Manners = {}, port = 0) {
  const mails: { to: string[]; text: string }[] = []
  const counts = { connect: 0, rcpt: 0, data: 0 }
  /** Runs a step of ours and answers with what came of it. */
  const step = (act: (() => void | Promise<void>) | undefined, done: (error?: Error | null) => void) =>
    void (async () => act?.())().then(() => done(), done)

  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onConnect: (_, done) => step(() => connect?.(++counts.connect), done),
    onRcptTo: (_address, _session, done) => step(() => rcpt?.(++counts.rcpt), done),
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      void text(stream).then((message) => {
        const count = ++counts.data
        const take = () => mails.push({ to, text: message })
        // What it says no to it does not keep. What it is slow to answer it has.
        step(async () => {
          const answer = data?.(count)
          take()
          await answer
        }, done)
      })
    },
  })
  server.on('error', () => undefined) // clients that go away are what these tests are about
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: heard } = server.server.address() as { port: number }
  return {
    port: heard,
    url: `smtp://127.0.0.1:${heard}`,
    mails,
    counts,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** A no, as a mail server says it. */
export const no = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
