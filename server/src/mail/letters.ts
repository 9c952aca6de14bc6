import { formatCode, type LinkType } from '@neptune/contract'
import { writeLetter } from './write-letter.ts'

/** Every letter Neptune writes. */
export const letters = {
  test: ({ publicUrl }: { publicUrl: string }) =>
    writeLetter({
      subject: 'Test mail from Neptune',
      paragraphs: [
        'This is the test mail that was asked for.',
        `That you read it means that the Neptune at ${publicUrl} can send mail.`,
      ],
    }),

  passwordReset: ({ name, url }: { name: string; url: string }) =>
    writeLetter({
      subject: 'Choose a new password',
      paragraphs: [`Hello ${name},`, 'Somebody, we hope you, asked for a new password for your Neptune account.'],
      action: { label: 'Choose a new password', url },
      after: [
        'The link works once, for an hour.',
        'If it was not you, do nothing: your password stays as it is, and nobody but you has this link.',
      ],
    }),

  passwordChanged: ({ name, url }: { name: string; url: string }) =>
    writeLetter({
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
    writeLetter({
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
    writeLetter({
      subject: 'Your e-mail address was changed',
      paragraphs: [
        `Hello ${name},`,
        `The e-mail address of your Neptune account at ${url} was changed just now, by you or by an administrator. No more mails come to this one, and links in older mails that let you choose a new password have ended.`,
        'If it was meant, there is nothing to do. If it was not, tell an administrator at once.',
      ],
    }),

  linkDetails: ({ maker, company, name, type, files, expiry, url, code, isChanged }: LinkDetails) =>
    writeLetter({
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
      ...(code !== undefined && { secret: { label: 'Access code', text: formatCode(code) } }),
      action: { label: type === 'LINK_FILE' ? 'Open the file' : 'Open the directory', url },
      after: [`The link works until ${day(expiry)}. You don’t need an account.`],
    }),

  linkUploads: ({ maker, uploads, url }: { maker: string; uploads: Upload[]; url: string }) => {
    const count = uploads.reduce((sum, upload) => sum + upload.count, 0)
    const [only] = uploads.length === 1 ? uploads : []
    return writeLetter({
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
    return writeLetter({
      subject: only === undefined ? `${names.length} of your links were used for a download` : `“${short(only)}” was downloaded`,
      paragraphs: [`Hi ${maker},`, ...names.map((name) => `Someone downloaded from your link to “${name}” for the first time.`)],
      action: { label: only === undefined ? 'See your links' : 'See the activity', url },
    })
  },

  linkExtended: (links: { maker: string; name: string; expiry: string; url: string }[]) => {
    const [only] = links.length === 1 ? links : []
    const extendedBy = ({ maker, name }: { maker: string; name: string }) => `${maker} extended the link to “${name}”.`
    return only
      ? writeLetter({
          subject: `More time for “${short(only.name)}”`,
          paragraphs: [`${extendedBy(only)} Its access code stays the same.`],
          action: { label: 'Open the link', url: only.url },
          after: [`It works until ${day(only.expiry)}.`],
        })
      : writeLetter({
          subject: `More time for ${links.length} links`,
          paragraphs: [
            ...links.map((link) => `${extendedBy(link)} It works until ${day(link.expiry)}: ${link.url}`),
            'Their access codes stay the same.',
          ],
        })
  },

  linkAsked: ({ maker, asks, url }: { maker: string; asks: Ask[]; url: string }) => {
    const [only] = asks.length === 1 ? asks : []
    return writeLetter({
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
    writeLetter({
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
