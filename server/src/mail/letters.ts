import { type LinkType, readableCode } from '@neptune/contract'
import type { Letter } from './mailer.ts'

/** What one tells another person: a few sentences, at most one thing to do. */
interface Content {
  subject: string
  paragraphs: string[]
  /** Something to be read out or typed in: set apart. */
  secret?: { label: string; text: string }
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

  /** To the address that is theirs now. */
  emailNew: ({ name, email, url }: { name: string; email: string; url: string }) =>
    write({
      subject: 'This is the e-mail address of your account now',
      paragraphs: [
        `Hello ${name},`,
        `The e-mail address of your Neptune account was changed to ${email} just now. Sign in with it from now on; your password stays as it is.`,
        'If you have no such account, there is nothing to do: somebody mistyped their address.',
      ],
      action: { label: 'Sign in', url },
    }),

  /** To the one that was theirs. It does not say which came after: perhaps it was never their own. */
  emailOld: ({ name, url }: { name: string; url: string }) =>
    write({
      subject: 'Your e-mail address was changed',
      paragraphs: [
        `Hello ${name},`,
        `The e-mail address of your Neptune account at ${url} was changed just now, by you or by an administrator. No more mails come to this one, and links in older mails that let you choose a new password have ended.`,
        'If it was meant, there is nothing to do. If it was not, tell an administrator at once.',
      ],
    }),

  linkDetails: ({ maker, company, name, type, expiry, url, code, isChanged }: LinkDetails) =>
    write({
      subject:
        isChanged && code !== undefined
          ? `A new access code for “${short(name)}”`
          : type === 'LINK_EDITABLE_DIRECTORY'
            ? `${maker} asks you for files for “${short(name)}”`
            : `${maker} shares “${short(name)}” with you`,
      paragraphs: [
        `${maker} of ${company} ${{ LINK_FILE: 'shares a file with you', LINK_DIRECTORY: 'shares a directory with you', LINK_EDITABLE_DIRECTORY: 'asks you for files, to be put in the directory' }[type]}: ${name}`,
        code === undefined
          ? 'The link below asks for an access code. You are told it another way, by telephone for instance.'
          : isChanged
            ? 'The access code was changed: an older one does not work any more. The link below asks for this one:'
            : 'The link below asks for this access code:',
      ],
      ...(code !== undefined && { secret: { label: 'Access code', text: readableCode(code) } }),
      action: { label: type === 'LINK_FILE' ? 'Open the file' : 'Open the directory', url },
      after: [`The link works until ${day(expiry)}. You need no account.`],
    }),

  linkUploads: ({ maker, name, files, count, url }: LinkUploads) =>
    write({
      subject: `${count === 1 ? 'A file has' : `${count} files have`} arrived in “${short(name)}”`,
      paragraphs: [
        `Hello ${maker},`,
        `through your link to “${name}” somebody has uploaded:`,
        ...files.map((file) => `${file.name} (${size(file.size)})`),
        ...(count > files.length ? [`and ${count - files.length} more.`] : []),
      ],
      action: { label: 'Open the directory', url },
    }),

  linkDownloaded: ({ maker, name, url }: { maker: string; name: string; url: string }) =>
    write({
      subject: `“${short(name)}” was downloaded`,
      paragraphs: [`Hello ${maker},`, `somebody has downloaded from your link to “${name}” for the first time.`],
      action: { label: 'See what happened', url },
    }),

  linkExtended: ({ maker, name, expiry, url }: { maker: string; name: string; expiry: string; url: string }) =>
    write({
      subject: `More time for “${short(name)}”`,
      paragraphs: [`${maker} has given the link to “${name}” more time. Its access code is not changed by that.`],
      action: { label: 'Open the link', url },
      after: [`It works until ${day(expiry)}.`],
    }),

  linkAsked: ({ maker, name, wants, url }: { maker: string; name: string; wants: 'time' | 'code'; url: string }) =>
    write({
      subject: `Somebody asks for ${wants === 'time' ? 'more time' : 'a new access code'}: “${short(name)}”`,
      paragraphs: [
        `Hello ${maker},`,
        wants === 'time'
          ? `your link to “${name}” has expired, and somebody who has its address asks for more time.`
          : `somebody who has the address of your link to “${name}” asks for a new access code.`,
        'Nobody has checked who it is. On the Links page you answer with one click.',
      ],
      action: { label: 'Answer', url },
    }),

  receipt: ({ by, company, name, files, count, bytes, issuedAt, url, verifyUrl }: ReceiptOf) =>
    write({
      subject: `Receipt for ${count === 1 ? 'a file' : `${count} files`} in “${short(name)}”`,
      paragraphs: [
        `${by} has received ${count === 1 ? 'one file' : `${count} files`}${company === undefined ? '' : ` for ${company}`}, ${size(bytes)} in all, through the link to “${name}”. This receipt was made on ${day(issuedAt)}:`,
        ...files.map((file) => `${file.name} (${size(file.size)})`),
        ...(count > files.length ? [`and ${count - files.length} more.`] : []),
      ],
      action: { label: 'Open the receipt', url },
      after: [
        `It names every file with its SHA-256, and it is signed. Whoever has it can check it at ${verifyUrl}`,
        'Whoever uploaded the files asked for this mail. If it was not you, there is nothing to do.',
      ],
    }),
}

interface LinkDetails {
  maker: string
  company: string
  name: string
  type: LinkType
  expiry: string
  url: string
  code: string | undefined
  /** It had another one before. */
  isChanged: boolean
}

interface LinkUploads {
  maker: string
  name: string
  files: { name: string; size: number }[]
  count: number
  url: string
}

interface ReceiptOf {
  /** The company of whoever took them in, and the one they are for, if it is another. */
  by: string
  company: string | undefined
  name: string
  /** The first few. */
  files: { name: string; size: number }[]
  count: number
  bytes: number
  issuedAt: string
  url: string
  verifyUrl: string
}

/** A subject is one line of a list. */
const short = (name: string) => ([...name].length > 60 ? `${[...name].slice(0, 59).join('')}…` : name)

/** In UTC, because nobody knows where it is read. */
const day = (instant: string) =>
  `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(instant))} UTC`

function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** step).toLocaleString('en', { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`
}

/** The same words twice: as plain text, and as a page that every mail program can draw. */
function write({ subject, paragraphs, secret, action, after = [] }: Content): Letter {
  const actionLines = action ? [`${action.label}:\n${action.url}`] : []
  const apart = secret ? [`${secret.label}:\n${secret.text}`] : []
  const text = [...paragraphs.map(wrap), ...apart, ...actionLines, ...after.map(wrap), '-- \nNeptune']
  return { subject, text: `${text.join('\n\n')}\n`, html: page(subject, paragraphs, secret, action, after) }
}

/** Short lines travel as they are, and an address among them stays whole for whoever reads the mail unformatted. */
const wrap = (text: string) => text.replaceAll(/(.{1,72})(?:\s+|$)/g, '$1\n').trimEnd()

/** Tables and inline styles, because that is what mail programs understand; nothing is loaded from anywhere. */
function page(subject: string, paragraphs: string[], secret: Content['secret'], action: Content['action'], after: string[]) {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${html(text)}</p>`
  const apart = (text: string) => `
<p style="margin:0 0 16px;padding:12px 16px;border-radius:8px;background:#f1f4f7;font:600 20px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:1px">${html(text)}</p>`
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
${paragraphs.map(paragraph).join('\n')}${secret ? apart(secret.text) : ''}${action ? button(action) : ''}${after.map(paragraph).join('\n')}
</td></tr></table>
</td></tr></table>
</body></html>
`
}

const html = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
