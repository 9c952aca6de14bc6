import { type LinkType, readableCode } from '@neptune/contract'
import type { Letter } from './mailer.ts'

/** A stranger's text: set apart, on one line, without links. */
interface Quote {
  quote: string
}

/** What one tells another person: a few sentences, at most one thing to do. */
interface Content {
  subject: string
  paragraphs: (string | Quote)[]
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

  linkDetails: ({ maker, company, name, type, files, expiry, url, code, isChanged }: LinkDetails) =>
    write({
      subject:
        isChanged && code !== undefined
          ? `A new access code for “${short(name)}”`
          : type !== 'LINK_EDITABLE_DIRECTORY'
            ? `${maker} shares “${short(name)}” with you`
            : files === 0
              ? `${maker} asks you for files for “${short(name)}”`
              : `${maker} shares “${short(name)}” with you and asks you for files`,
      paragraphs: [
        `${maker} of ${company} ${purposeOf(type, files)}: ${name}`,
        code === undefined
          ? 'The link below asks for an access code. You’ll get it another way, for instance by phone.'
          : isChanged
            ? 'The access code was changed, and the old one no longer works. The link below asks for this one:'
            : 'The link below asks for this access code:',
      ],
      ...(code !== undefined && { secret: { label: 'Access code', text: readableCode(code) } }),
      action: { label: type === 'LINK_FILE' ? 'Open the file' : 'Open the directory', url },
      after: [`The link works until ${day(expiry)}. You don’t need an account.`],
    }),

  linkUploads: ({ maker, uploads, url }: { maker: string; uploads: Upload[]; url: string }) => {
    const count = uploads.reduce((sum, upload) => sum + upload.count, 0)
    const [only] = uploads.length === 1 ? uploads : []
    return write({
      subject: `${count === 1 ? 'A file has' : `${count} files have`} arrived in ${only ? `“${short(only.name)}”` : `${uploads.length} directories`}`,
      paragraphs: [
        `Hi ${maker},`,
        ...uploads.flatMap(({ name, files, count }) => [
          `Someone uploaded ${filesOf(count)} to “${name}”:`,
          ...files.map((file) => `${file.name} (${size(file.size)})`),
          ...(count > files.length ? [`and ${count - files.length} more.`] : []),
        ]),
      ],
      action: { label: only ? 'Open the directory' : 'See your links', url },
    })
  },

  linkDownloaded: ({ maker, names, url }: { maker: string; names: string[]; url: string }) => {
    const [only] = names.length === 1 ? names : []
    return write({
      subject: only === undefined ? `${names.length} of your links were used for a download` : `“${short(only)}” was downloaded`,
      paragraphs: [`Hi ${maker},`, ...names.map((name) => `Someone downloaded from your link to “${name}” for the first time.`)],
      action: { label: only === undefined ? 'See your links' : 'See the activity', url },
    })
  },

  linkExtended: (links: { maker: string; name: string; expiry: string; url: string }[]) => {
    const [only] = links.length === 1 ? links : []
    const extendedBy = ({ maker, name }: { maker: string; name: string }) => `${maker} extended the link to “${name}”.`
    return only
      ? write({
          subject: `More time for “${short(only.name)}”`,
          paragraphs: [`${extendedBy(only)} Its access code stays the same.`],
          action: { label: 'Open the link', url: only.url },
          after: [`It works until ${day(only.expiry)}.`],
        })
      : write({
          subject: `More time for ${links.length} links`,
          paragraphs: [
            ...links.map((link) => `${extendedBy(link)} It works until ${day(link.expiry)}: ${link.url}`),
            'Their access codes stay the same.',
          ],
        })
  },

  linkAsked: ({ maker, asks, url }: { maker: string; asks: Ask[]; url: string }) => {
    const [only] = asks.length === 1 ? asks : []
    return write({
      subject: only
        ? `Someone asks for ${only.wants === 'time' ? 'more time' : 'a new access code'}: “${short(only.name)}”`
        : `${asks.length} questions about your links`,
      paragraphs: [
        `Hi ${maker},`,
        ...asks.flatMap(({ name, wants, message }) => [
          wants === 'time'
            ? `Someone who has the address of your link to “${name}” asks for more time.`
            : `Someone who has the address of your link to “${name}” asks for a new access code.`,
          ...(message === null ? [] : ['They wrote:', { quote: message }]),
        ]),
        'Nobody has checked who it is or what they wrote. You can answer with one click on the Links page.',
      ],
      action: { label: 'Answer', url },
    })
  },

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
  /** How many files can be downloaded. */
  files: number
  expiry: string
  url: string
  code: string | undefined
  /** It had another one before. */
  isChanged: boolean
}

/** What arrived through one link. */
interface Upload {
  name: string
  /** The first few. */
  files: { name: string; size: number }[]
  count: number
}

/** A recipient's question. */
interface Ask {
  name: string
  wants: 'time' | 'code'
  message: string | null
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

const filesOf = (count: number) => (count === 1 ? 'a file' : `${count} files`)

/** Why someone gets a link. An editable directory can be both: to download from and to upload to. */
function purposeOf(type: LinkType, files: number): string {
  if (type === 'LINK_FILE') return 'shares a file with you'
  if (type === 'LINK_DIRECTORY') return 'shares a directory with you'
  return files === 0
    ? 'asks you to upload files to the directory'
    : `shares a directory containing ${filesOf(files)} with you and asks you to upload files to it`
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
  const plain = (paragraph: string | Quote) =>
    typeof paragraph === 'string' ? wrap(paragraph) : wrap(unlinked(paragraph.quote)).replaceAll(/^/gm, '> ')
  const text = [...paragraphs.map(plain), ...apart, ...actionLines, ...after.map(wrap), '-- \nNeptune']
  return { subject, text: `${text.join('\n\n')}\n`, html: page(subject, paragraphs, secret, action, after) }
}

const quoteMax = 200

/**
 * Mail programs turn anything that looks like an address into a link. Makes sure that nothing in a stranger's text does, and
 * removes invisible and direction-changing characters.
 */
const unlinked = (text: string) =>
  [...text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
    .slice(0, quoteMax)
    .join('')
    .replaceAll(/:(?=\/\/)/g, '[:]')
    .replaceAll(/(?<=[\p{L}\p{N}])[.。．｡](?=[\p{L}\p{N}])/gu, '[.]')

/** Short lines travel as they are, and an address among them stays whole for whoever reads the mail unformatted. */
const wrap = (text: string) => text.replaceAll(/(.{1,72})(?:\s+|$)/g, '$1\n').trimEnd()

/** Tables and inline styles, because that is what mail programs understand; nothing is loaded from anywhere. */
function page(
  subject: string,
  paragraphs: Content['paragraphs'],
  secret: Content['secret'],
  action: Content['action'],
  after: string[],
) {
  const paragraph = (text: string | Quote) =>
    typeof text === 'string'
      ? `<p style="margin:0 0 16px">${html(text)}</p>`
      : `<blockquote style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #c9d1d9">${html(unlinked(text.quote))}</blockquote>`
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

const html = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
