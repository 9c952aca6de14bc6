import { formatCode, type LinkType } from '@neptune/contract'
import type { Localizer } from '../localizer.ts'
import { createFileList } from './create-file-list.ts'
import { type Block, joinSentences, type WriteEmail } from './email-body.ts'
import { shorten } from './shorten.ts'

/** The emails to recipients: about links, and receipts for their uploads. */
export const recipientEmails = {
  linkDetails:
    (link: LinkDetails): WriteEmail =>
    (localizer) => {
      const { t, formatTime } = localizer
      const { owner, portal, code, isChanged, expiry, url, message } = link
      return {
        subject: writeSubject(localizer, link),
        paragraphs: [
          joinSentences(
            describePurpose(localizer, link),
            ...(portal === null ? [] : [t('{owner} uses the {portal} portal for this.', { owner, portal })]),
          ),
          ...(message ? [t('Message from {name}:', { name: message.from }), { message: message.text }] : []),
          code === undefined
            ? joinSentences(
                t('To open the link, you’ll need an access code.'),
                t('You’ll get the code separately, for example by phone.'),
              )
            : isChanged
              ? joinSentences(
                  t('The access code has changed, and the old one no longer works.'),
                  t('Use this one to open the link:'),
                )
              : t('You’ll need this access code on the next page:'),
        ],
        ...(code !== undefined && { secret: { label: t('Access code'), text: formatCode(code) } }),
        action: { label: getOpenLabel(localizer, link), url },
        after: [
          t('Not sure it’s genuine? Before you open the link, call {owner} on a number you already have.', { owner }),
          joinSentences(t('You don’t need an account.'), t('The link expires on {time}.', { time: formatTime(expiry) })),
        ],
      }
    },

  linkExtensions:
    (links: ExtendedLink[]): WriteEmail =>
    (localizer) => {
      const { t, formatTime } = localizer
      const describe = (link: ExtendedLink) =>
        t('The link to “{name}”, which {owner} from {company} shared with you, was extended.', {
          owner: link.owner,
          company: link.company,
          name: nameTarget(localizer, link),
        })
      const describeEnd = ({ expiry }: ExtendedLink) => t('The link now expires on {time}.', { time: formatTime(expiry) })
      const [only] = links.length === 1 ? links : []
      if (!only)
        return {
          subject: t('{n} of your links were extended', { n: links.length }),
          paragraphs: [
            ...links.map((link): Block => ({ text: joinSentences(describe(link), describeEnd(link)), url: link.url })),
            t('The access codes stay the same.'),
          ],
        }
      return {
        subject: t('{company} extended the link to “{name}”', {
          company: shorten(only.company),
          name: shorten(nameTarget(localizer, only)),
        }),
        paragraphs: [joinSentences(describe(only), t('The access code stays the same.'))],
        action: { label: t('Open the link'), url: only.url },
        after: [describeEnd(only)],
      }
    },

  receipt:
    ({ company, client, name, files, count, bytes, issuedAt, url, verifyUrl }: ReceiptDetails): WriteEmail =>
    (localizer) => {
      const { t, formatSize, formatTime } = localizer
      return {
        subject: t('Receipt for {n} files uploaded to “{name}”', { n: count, name: shorten(name) }),
        paragraphs: [
          client === undefined
            ? t('{company} received {n} files ({size}) through the link to “{name}”:', {
                company,
                n: count,
                size: formatSize(bytes),
                name,
              })
            : t('{company} received {n} files ({size}) for {client} through the link to “{name}”:', {
                company,
                n: count,
                client,
                size: formatSize(bytes),
                name,
              }),
          createFileList(localizer, files, count),
        ],
        action: { label: t('Open the receipt'), url },
        after: [
          {
            text: joinSentences(
              t('The receipt was issued on {time}.', { time: formatTime(issuedAt) }),
              t('It lists every file with its SHA-256 hash and is digitally signed.'),
              t('Anyone can check it here:'),
            ),
            url: verifyUrl,
          },
          joinSentences(
            t('You’re getting this email because the person who uploaded the files entered your address.'),
            t('If that wasn’t you, you can ignore this email.'),
          ),
        ],
      }
    },
}

interface LinkDetails {
  owner: string
  /** The company of the owner. */
  company: string
  /** The name in the header of the email, if it differs from the owner's company. */
  portal: string | null
  name: string
  /** For a link to several files, how many there are. The name of their directory is then not shown. */
  several?: number
  type: LinkType
  /** How many files the directory contains. */
  files: number
  expiry: string
  url: string
  code: string | undefined
  /** Whether the code has replaced an earlier one. */
  isChanged: boolean
  /** A personal message, and the name of the person who wrote it. */
  message?: { from: string; text: string } | undefined
}

interface ExtendedLink {
  owner: string
  company: string
  name: string
  several?: number
  expiry: string
  url: string
}

interface ReceiptDetails {
  /** The company of the link's owner. */
  company: string
  /** The company that the files are for; undefined if it is `company`. */
  client: string | undefined
  name: string
  /** The files to list, which may be only the first ones. */
  files: { name: string; size: number }[]
  count: number
  bytes: number
  issuedAt: string
  url: string
  verifyUrl: string
}

/** Returns the name of what is shared, or for several files their number. */
const nameTarget = ({ t }: Localizer, { name, several }: { name: string; several?: number }): string =>
  several === undefined ? name : t('{n} files', { n: several })

function getOpenLabel({ t }: Localizer, { type, several }: LinkDetails): string {
  if (several !== undefined) return t('Open the files')
  return type === 'LINK_FILE' ? t('Open the file') : t('Open the directory')
}

function writeSubject(localizer: Localizer, { type, files, code, isChanged, ...link }: LinkDetails): string {
  const { t } = localizer
  const names = { company: shorten(link.company), name: shorten(nameTarget(localizer, link)) }
  if (isChanged && code !== undefined) return t('{company} sent you a new access code for “{name}”', names)
  if (link.several !== undefined) return t('{company} shared {n} files with you', { company: names.company, n: link.several })
  if (type !== 'LINK_EDITABLE_DIRECTORY') return t('{company} shared “{name}” with you', names)
  return files === 0
    ? t('{company} requested files for “{name}”', names)
    : t('{company} shared “{name}” with you and requested files', names)
}

/** Describes why the recipient gets a link. An editable directory that contains files is for both downloads and uploads. */
function describePurpose({ t }: Localizer, { owner, company, name, several, type, files }: LinkDetails): string {
  const names = { owner, company, name }
  if (several !== undefined) return t('{owner} from {company} shared {n} files with you.', { owner, company, n: several })
  if (type === 'LINK_FILE') return t('{owner} from {company} shared the file “{name}” with you.', names)
  if (type === 'LINK_DIRECTORY') return t('{owner} from {company} shared the directory “{name}” with you.', names)
  return files === 0
    ? t('{owner} from {company} asked you to upload files to the directory “{name}”.', names)
    : t('{owner} from {company} shared the directory “{name}” ({n} files) with you and asked you to upload files to it.', {
        ...names,
        n: files,
      })
}
