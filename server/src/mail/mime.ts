import { createRequire } from 'node:module'
import type MailComposer from 'nodemailer/lib/mail-composer'
import type { Message } from './mailer.ts'

const require = createRequire(import.meta.url)

/** Loaded with the first letter, because many a start sends none. Required, because an import that failed once is never tried again. */
export const loadComposer = (): typeof MailComposer => require('nodemailer/lib/mail-composer')

/** The message as it travels. Addresses are passed as objects: nobody reads them a second time, and differently. */
export async function toMime({ id, from, to, date, subject, text, html }: Message): Promise<Buffer> {
  const Composer = loadComposer()
  const composer = new Composer({
    from,
    to: { name: '', address: to },
    date,
    subject,
    text,
    html,
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    // So that nobody's "I am on holiday" answers a machine.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return new Promise((resolve, reject) => {
    composer.compile().build((error, mime) => (error ? reject(error) : resolve(mime as Buffer)))
  })
}
