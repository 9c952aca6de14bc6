import { createRequire } from 'node:module'
import type MailComposer from 'nodemailer/lib/mail-composer'
import type { Message } from './mailer.ts'

const require = createRequire(import.meta.url)

/** Loads the composer with the first message, because many processes send none. Uses `require`, because a failed `import` is cached. */
const loadComposer = (): typeof MailComposer => require('nodemailer/lib/mail-composer')

/** Encodes a message as MIME. Passes addresses as objects, so that they are not parsed again, and differently. */
export async function toMime({ id, from, replyTo, to, date, subject, text, html }: Message): Promise<Buffer> {
  const Composer = loadComposer()
  const composer = new Composer({
    from,
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    to: { name: '', address: to },
    date,
    subject,
    text,
    html,
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    // Prevents out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return new Promise((resolve, reject) => {
    composer.compile().build((error, mime) => (error ? reject(error) : resolve(mime as Buffer)))
  })
}
