import MailComposer from 'nodemailer/lib/mail-composer'
import type { Message } from './mailer.ts'

/** The message as it travels. Addresses are passed as objects: nobody reads them a second time, and differently. */
export function toMime({ id, from, to, date, subject, text, html }: Message): Promise<Buffer> {
  const composer = new MailComposer({
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
