import type { Letter } from './mailer.ts'

/** What one tells another person: a few sentences, at most one thing to do. */
interface Content {
  subject: string
  paragraphs: string[]
  action?: { label: string; url: string }
  after?: string[]
}

/** Every letter Neptune writes. */
export const letters = {
  test: ({ publicUrl }: { publicUrl: string }) =>
    write({
      subject: 'Test mail from Neptune',
      paragraphs: [
        'This is the test mail that was asked for.',
        `That you read it means that the Neptune at ${publicUrl} can send mail.`,
      ],
    }),

  passwordReset: ({ name, url }: { name: string; url: string }) =>
    write({
      subject: 'Choose a new password',
      paragraphs: [`Hello ${name},`, 'Somebody, we hope you, asked for a new password for your Neptune account.'],
      action: { label: 'Choose a new password', url },
      after: [
        'The link works once, for an hour.',
        'If it was not you, do nothing: your password stays as it is, and nobody but you has this link.',
      ],
    }),

  passwordChanged: ({ name, url }: { name: string; url: string }) =>
    write({
      subject: 'Your password was changed',
      paragraphs: [
        `Hello ${name},`,
        'The password of your Neptune account was changed just now, and every other sign-in was ended.',
        'If it was you, there is nothing to do. If it was not, choose a new one at once and tell an administrator.',
      ],
      action: { label: 'I did not do this', url },
    }),
}

/** The same words twice: as plain text, and as a page that every mail program can draw. */
function write({ subject, paragraphs, action, after = [] }: Content): Letter {
  const toDo = action ? [`${action.label}:\n${action.url}`] : []
  const text = [...paragraphs.map(wrap), ...toDo, ...after.map(wrap), '-- \nNeptune']
  return { subject, text: `${text.join('\n\n')}\n`, html: page(subject, paragraphs, action, after) }
}

/** Short lines travel as they are, and an address among them stays whole for whoever reads the mail unformatted. */
const wrap = (text: string) => text.replaceAll(/(.{1,72})(?:\s+|$)/g, '$1\n').trimEnd()

/** Tables and inline styles, because that is what mail programs understand; nothing is loaded from anywhere. */
function page(subject: string, paragraphs: string[], action: Content['action'], after: string[]) {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${html(text)}</p>`
  const button = ({ label, url }: { label: string; url: string }) => `
<p style="margin:24px 0"><a href="${html(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#006eb3;color:#ffffff;font-weight:600;text-decoration:none">${html(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#59616b">If the button does not work, open this address:<br><a href="${html(url)}" style="color:#006eb3;word-break:break-all">${html(url)}</a></p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${html(subject)}</title></head>
<body style="margin:0;padding:0;background:#f8fafb">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f8fafb"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td style="padding:0 0 16px;font:600 16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#182029">Neptune</td></tr>
<tr><td style="padding:32px;border-radius:12px;background:#ffffff;font:400 16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#182029">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${html(subject)}</h1>
${paragraphs.map(paragraph).join('\n')}${action ? button(action) : ''}${after.map(paragraph).join('\n')}
</td></tr></table>
</td></tr></table>
</body></html>
`
}

const html = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
