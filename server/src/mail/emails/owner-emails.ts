import type { Localizer } from '../localizer.ts'
import { createFileList } from './create-file-list.ts'
import { type Block, joinSentences, type WriteEmail } from './email-body.ts'
import { shorten } from './shorten.ts'

/** The emails to the owner of a link. */
export const ownerEmails = {
  linkUploads:
    ({ owner, uploads, url }: { owner: string; uploads: Upload[]; url: string }): WriteEmail =>
    (localizer) => {
      const { t, formatNumber } = localizer
      const n = uploads.reduce((sum, upload) => sum + upload.count, 0)
      const [only] = uploads.length === 1 ? uploads : []
      return {
        subject: only
          ? t('{n} new files in {link}', { n, link: formatShortLinkName(localizer, only) })
          : t('{n} new files through {links} of your links', { n, links: formatNumber(uploads.length) }),
        readerName: owner,
        paragraphs: uploads.flatMap((upload): Block[] => [
          describeUpload(localizer, upload),
          createFileList(localizer, upload.files, upload.count),
        ]),
        action: { label: only ? t('Open the directory') : t('View your links'), url },
      }
    },

  linkDownloads:
    ({ owner, links, url }: { owner: string; links: NamedLink[]; url: string }): WriteEmail =>
    (localizer) => {
      const { t } = localizer
      const [only] = links.length === 1 ? links : []
      return {
        subject: only
          ? t('First download from {link}', { link: formatShortLinkName(localizer, only) })
          : t('First download from {n} of your links', { n: links.length }),
        readerName: owner,
        paragraphs: links.map((link) => describeDownload(localizer, link)),
        action: { label: only ? t('View the activity') : t('View your links'), url },
      }
    },

  linkRequests:
    ({ owner, asks, url }: { owner: string; asks: Ask[]; url: string }): WriteEmail =>
    (localizer) => {
      const { t } = localizer
      const [only] = asks.length === 1 ? asks : []
      return {
        subject: only ? writeRequestSubject(localizer, only) : t('{n} requests from recipients', { n: asks.length }),
        readerName: owner,
        paragraphs: [
          ...asks.flatMap((ask): Block[] => [
            describeRequest(localizer, ask),
            ...(ask.message === null ? [] : [t('They wrote:'), { quote: ask.message }]),
            ...(ask.standsInFor === undefined
              ? []
              : [
                  joinSentences(
                    t('The link belongs to {owner}, who can’t answer.', { owner: ask.standsInFor }),
                    t('Please answer in their place.'),
                  ),
                ]),
          ]),
          joinSentences(t('We haven’t verified who asked or what they wrote.'), t('You can answer on the Links page.')),
        ],
        action: { label: t('Answer'), url },
      }
    },

  /** `count` is the number of links. `hasMore` is true if counting stopped at a limit. */
  linksHandedOver:
    ({ owner, links, count, hasMore, url }: Handover): WriteEmail =>
    (localizer) => {
      const { t, formatNumber } = localizer
      const [only] = count === 1 ? links : []
      const number = `${formatNumber(count)}${hasMore ? '+' : ''}`
      return {
        subject: only
          ? t('You now own the link to {link}', { link: formatShortLinkName(localizer, only) })
          : t('You now own {count} more links', { count: number }),
        readerName: owner,
        paragraphs: [
          only
            ? joinSentences(
                t('An administrator handed a link over to you.'),
                t('You’ll get the notices about it from now on.'),
                t('Recipients keep using the same link and access code. They now see your name.'),
              )
            : joinSentences(
                t('An administrator handed {count} links over to you.', { count: number }),
                t('You’ll get the notices about them from now on.'),
                t('Recipients keep using the same links and access codes. They now see your name.'),
              ),
          { list: links.map((link) => t('{link}, from {owner}', { link: formatLinkName(localizer, link), owner: link.from })) },
          ...(hasMore || count > links.length ? [t('The others are on the Links page.')] : []),
        ],
        action: { label: only ? t('View the link') : t('View your links'), url },
      }
    },
}

/** A link as its owner knows it. */
export interface NamedLink {
  name: string
  /** The company of the files, for owners who see several companies. */
  company: string | undefined
  /** The address that the link was sent to. */
  sentTo: string | null
}

/** Files that were uploaded through one link. */
interface Upload extends NamedLink {
  /** The files to list, which may be only the first ones. */
  files: { name: string; size: number }[]
  count: number
}

/** A recipient's request. */
interface Ask extends NamedLink {
  wants: 'time' | 'code'
  message: string | null
  /** The name of the owner, if someone else has to answer. */
  standsInFor?: string
}

interface Handover {
  owner: string
  /** The links to list, with the names of their previous owners. */
  links: (NamedLink & { from: string })[]
  count: number
  hasMore: boolean
  url: string
}

const formatLinkName = ({ t }: Localizer, { name, company }: Pick<NamedLink, 'name' | 'company'>) =>
  company === undefined ? t('“{name}”', { name }) : t('“{name}” ({company})', { name, company })

/** Formats the name of a link for a subject line. */
const formatShortLinkName = (localizer: Localizer, { name, company }: NamedLink) =>
  formatLinkName(localizer, { name: shorten(name), company: company === undefined ? undefined : shorten(company) })

// Anyone who has the link and its code can use it, so the address that it was sent to doesn't prove who it was.

function describeUpload(localizer: Localizer, { count: n, sentTo: email, ...upload }: Upload): string {
  const link = formatLinkName(localizer, upload)
  return email === null
    ? localizer.t('Someone uploaded {n} files to {link}:', { n, link })
    : localizer.t('Someone who has the link that was sent to {email} uploaded {n} files to {link}:', { email, n, link })
}

function describeDownload(localizer: Localizer, { sentTo: email, ...named }: NamedLink): string {
  const link = formatLinkName(localizer, named)
  return email === null
    ? localizer.t('Your link to {link} was used for a download for the first time.', { link })
    : localizer.t('Your link to {link}, which was sent to {email}, was used for a download for the first time.', {
        email,
        link,
      })
}

function writeRequestSubject(localizer: Localizer, ask: Ask): string {
  const link = formatShortLinkName(localizer, ask)
  return ask.wants === 'time'
    ? localizer.t('Someone requested more time for {link}', { link })
    : localizer.t('Someone requested a new access code for {link}', { link })
}

function describeRequest(localizer: Localizer, { wants, sentTo: email, ...ask }: Ask): string {
  const { t } = localizer
  const link = formatLinkName(localizer, ask)
  if (email === null)
    return wants === 'time'
      ? t('Someone requested more time for {link}.', { link })
      : t('Someone requested a new access code for {link}.', { link })
  return wants === 'time'
    ? t('Someone who has the link that was sent to {email} requested more time for {link}.', { email, link })
    : t('Someone who has the link that was sent to {email} requested a new access code for {link}.', { email, link })
}
