import { createRequire } from 'node:module'
import type MailComposer from 'nodemailer/lib/mail-composer'
import type { Address, Message } from './mailer.ts'
import { toLine } from './plain-text.ts'

const require = createRequire(import.meta.url)

/** Loads the composer with the first message, because many processes send none. Uses `require`, because a failed `import` is cached. */
const loadComposer = (): typeof MailComposer => require('nodemailer/lib/mail-composer')

/**
 * Returns a text for a header. Separates `=?`, because mail programs would decode what follows (RFC 2047), and so bring
 * back what `toLine` removes.
 */
const toHeaderText = (text: string) => toLine(text).replaceAll('=?', '= ?')

const toHeader = ({ name, address }: Address): Address => ({ name: toHeaderText(name), address })

/** Encodes a message as MIME. Passes addresses as objects, so that they are not parsed again, and differently. */
export async function toMime({ id, from, replyTo, to, date, language, subject, text, html }: Message): Promise<Buffer> {
  const Composer = loadComposer()
  const composer = new Composer({
    from: toHeader(from),
    ...(replyTo !== undefined && { replyTo: toHeader(replyTo) }),
    to: { name: '', address: to },
    date,
    subject: toHeaderText(subject),
    text,
    html,
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    // The second and third headers prevent out-of-office replies.
    headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return new Promise((resolve, reject) => {
    composer.compile().build((error, mime) => (error ? reject(error) : resolve(mime as Buffer)))
  })
}
