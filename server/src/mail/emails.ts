import { formatCode, type LinkType } from '@neptune/contract'
import { countFiles, formatSize, formatTime, shorten } from './formats.ts'
import { ownerEmails } from './owner-emails.ts'
import { renderEmail } from './render-email.ts'

/** Every email that Neptune sends. */
export const emails = {
  ...ownerEmails,

  test: ({ publicUrl }: { publicUrl: string }) =>
    renderEmail({
      subject: 'Test email from Neptune',
      paragraphs: ['This is a test email.', `If you can read it, Neptune at ${publicUrl} can send email.`],
    }),

  invitation: ({ name, email, company, inviter, endsAt, url }: InvitationDetails) =>
    renderEmail({
      subject: `${inviter} invited you to Neptune`,
      paragraphs: [
        `Hi ${name},`,
        `${inviter} created a Neptune account for you at ${company}, to share files securely. Choose a password to get started:`,
      ],
      action: { label: 'Accept the invitation', url },
      after: [
        `You’ll sign in with this email address, ${email}. The link works once and expires on ${formatTime(endsAt)}.`,
        'If you didn’t expect this invitation, you can ignore this email.',
      ],
    }),

  /** `sender` is the name of the admin who created the link, if one did. */
  passwordReset: ({ name, sender, url }: { name: string; sender?: string | undefined; url: string }) =>
    renderEmail({
      subject: 'Choose a new password',
      paragraphs: [
        `Hi ${name},`,
        sender === undefined
          ? 'Someone requested a new password for your Neptune account. If it was you, choose one here:'
          : `${sender} sent you this link to choose a new password for your Neptune account:`,
      ],
      action: { label: 'Choose a new password', url },
      after: [
        'The link works once and expires in an hour.',
        sender === undefined
          ? 'If you didn’t request this, you can ignore this email. Your password stays the same.'
          : 'If you didn’t expect this, ignore this email and ask an administrator. Your password stays the same.',
      ],
    }),

  passwordChanged: ({ name, url }: { name: string; url: string }) =>
    renderEmail({
      subject: 'Your password was changed',
      paragraphs: [
        `Hi ${name},`,
        'The password of your Neptune account was just changed, and you were signed out everywhere else.',
        'If this was you, there’s nothing to do. If it wasn’t, choose a new password right away and tell an administrator.',
      ],
      action: { label: 'This wasn’t me', url },
    }),

  /** Sent to the new address of a user. */
  emailChangedForNewAddress: ({ name, email, url }: { name: string; email: string; url: string }) =>
    renderEmail({
      subject: 'Your Neptune account now uses this email address',
      paragraphs: [
        `Hi ${name},`,
        `The email address of your Neptune account was just changed to ${email}. Use it to sign in from now on. Your password stays the same.`,
        'If you don’t have a Neptune account, you can ignore this email. Someone probably mistyped their address.',
      ],
      action: { label: 'Sign in', url },
    }),

  /** Sent to the previous address of a user. It doesn't reveal the new one, because the previous one may have belonged to someone else. */
  emailChangedForOldAddress: ({ name, url }: { name: string; url: string }) =>
    renderEmail({
      subject: 'Your email address was changed',
      paragraphs: [
        `Hi ${name},`,
        `The email address of your Neptune account at ${url} was just changed, by you or by an administrator. You won’t get any more emails at this address, and password reset links in older emails no longer work.`,
        'If you expected this, there’s nothing to do. If you didn’t, tell an administrator right away.',
      ],
    }),

  linkDetails: ({ owner, company, name, type, files, expiry, url, code, isChanged }: LinkDetails) =>
    renderEmail({
      subject:
        isChanged && code !== undefined
          ? `New access code for “${shorten(name)}”`
          : type !== 'LINK_EDITABLE_DIRECTORY'
            ? `${owner} shared “${shorten(name)}” with you`
            : files === 0
              ? `${owner} requested files for “${shorten(name)}”`
              : `${owner} shared “${shorten(name)}” with you and requested files`,
      paragraphs: [
        `${owner} from ${company} ${describePurpose(type, name, files)}.`,
        code === undefined
          ? 'To open it, you’ll need an access code. You’ll get the code separately, for example by phone.'
          : isChanged
            ? 'The access code has changed, and the old one no longer works. Use this one to open the link:'
            : 'Use this access code to open the link:',
      ],
      ...(code !== undefined && { secret: { label: 'Access code', text: formatCode(code) } }),
      action: { label: type === 'LINK_FILE' ? 'Open the file' : 'Open the directory', url },
      after: [`You don’t need an account. The link expires on ${formatTime(expiry)}.`],
    }),

  linkExtensions: (links: { owner: string; name: string; expiry: string; url: string }[]) => {
    const [only] = links.length === 1 ? links : []
    return only
      ? renderEmail({
          subject: `The link to “${shorten(only.name)}” was extended`,
          paragraphs: [`${only.owner} extended the link to “${only.name}”. The access code stays the same.`],
          action: { label: 'Open the link', url: only.url },
          after: [`The link now expires on ${formatTime(only.expiry)}.`],
        })
      : renderEmail({
          subject: `${links.length} links were extended`,
          paragraphs: [
            ...links.map(
              ({ owner, name, expiry, url }) =>
                `${owner} extended the link to “${name}”. It now expires on ${formatTime(expiry)}: ${url}`,
            ),
            'The access codes stay the same.',
          ],
        })
  },

  quotaWarning: ({ name, companies, count, url }: { name: string; companies: Usage[]; count: number; url: string }) => {
    const [only] = count === 1 ? companies : []
    return renderEmail({
      subject: only
        ? `“${shorten(only.name)}” has used ${only.percent}% of its storage`
        : `${count} companies are running out of storage`,
      paragraphs: [
        `Hi ${name},`,
        ...companies.map(
          ({ name, bytes, quota, percent }) =>
            `“${name}” has used ${formatSize(bytes)} of its ${formatSize(quota)} storage quota (${percent}%).`,
        ),
        ...(count > companies.length ? [`and ${count - companies.length} more.`] : []),
        'When a company’s storage is full, nobody can upload files to it. You can raise its quota or delete files. Files in the trash count until they’re deleted permanently.',
      ],
      action: { label: only ? 'Open the company' : 'View the companies', url },
    })
  },

  receipt: ({ by, company, name, files, count, bytes, issuedAt, url, verifyUrl }: ReceiptDetails) =>
    renderEmail({
      subject: `Receipt for ${countFiles(count)} uploaded to “${shorten(name)}”`,
      paragraphs: [
        `${by} received ${countFiles(count)}${company === undefined ? '' : ` for ${company}`} (${formatSize(bytes)}) through the link to “${name}”:`,
        ...files.map((file) => `${file.name} (${formatSize(file.size)})`),
        ...(count > files.length ? [`and ${count - files.length} more.`] : []),
      ],
      action: { label: 'Open the receipt', url },
      after: [
        `The receipt was issued on ${formatTime(issuedAt)}. It lists every file with its SHA-256 checksum and is digitally signed. Anyone can verify it at ${verifyUrl}`,
        'You’re getting this email because the person who uploaded the files entered your address. If that wasn’t you, you can ignore it.',
      ],
    }),
}

interface InvitationDetails {
  name: string
  email: string
  company: string
  inviter: string
  endsAt: string
  url: string
}

interface LinkDetails {
  owner: string
  company: string
  name: string
  type: LinkType
  /** How many files the directory contains. */
  files: number
  expiry: string
  url: string
  code: string | undefined
  /** Whether the code has replaced an earlier one. */
  isChanged: boolean
}

/** How much of its storage a company uses. */
interface Usage {
  name: string
  bytes: number
  quota: number
  percent: number
}

interface ReceiptDetails {
  /** The company of the link's owner. */
  by: string
  /** The company that the files are for; undefined if it is the same. */
  company: string | undefined
  name: string
  /** The files to list, which may be only the first ones. */
  files: { name: string; size: number }[]
  count: number
  bytes: number
  issuedAt: string
  url: string
  verifyUrl: string
}

/** Describes why the recipient gets a link. An editable directory that contains files is for both downloads and uploads. */
function describePurpose(type: LinkType, name: string, files: number): string {
  if (type === 'LINK_FILE') return `shared the file “${name}” with you`
  if (type === 'LINK_DIRECTORY') return `shared the directory “${name}” with you`
  return files === 0
    ? `asked you to upload files to the directory “${name}”`
    : `shared the directory “${name}” (${countFiles(files)}) with you and asked you to upload files to it`
}
