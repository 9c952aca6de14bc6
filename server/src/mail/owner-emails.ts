import { countFiles, formatSize, shorten } from './formats.ts'
import { renderEmail } from './render-email.ts'

/** The emails to the owner of a link. */
export const ownerEmails = {
  linkUploads: ({ owner, uploads, url }: { owner: string; uploads: Upload[]; url: string }) => {
    const count = uploads.reduce((sum, upload) => sum + upload.count, 0)
    const [only] = uploads.length === 1 ? uploads : []
    return renderEmail({
      subject: `${count === 1 ? 'New file' : `${count} new files`} in ${only ? nameShortly(only) : `${uploads.length} directories`}`,
      paragraphs: [
        `Hi ${owner},`,
        ...uploads.flatMap(({ files, count, ...link }) => [
          `${describeVisitor(link)} uploaded ${countFiles(count)} to ${nameLink(link)}:`,
          ...files.map((file) => `${file.name} (${formatSize(file.size)})`),
          ...(count > files.length ? [`and ${count - files.length} more.`] : []),
        ]),
      ],
      action: { label: only ? 'Open the directory' : 'View your links', url },
    })
  },

  linkDownloads: ({ owner, links, url }: { owner: string; links: NamedLink[]; url: string }) => {
    const [only] = links.length === 1 ? links : []
    return renderEmail({
      subject: only === undefined ? `First download from ${links.length} of your links` : `${nameShortly(only)} was downloaded`,
      paragraphs: [
        `Hi ${owner},`,
        ...links.map((link) => `${describeVisitor(link)} downloaded from your link to ${nameLink(link)} for the first time.`),
      ],
      action: { label: only === undefined ? 'View your links' : 'View the activity', url },
    })
  },

  linkRequests: ({ owner, asks, url }: { owner: string; asks: Ask[]; url: string }) => {
    const [only] = asks.length === 1 ? asks : []
    return renderEmail({
      subject: only
        ? `Someone requested ${describeRequest(only.wants)} for ${nameShortly(only)}`
        : `${asks.length} requests from recipients`,
      paragraphs: [
        `Hi ${owner},`,
        ...asks.flatMap(({ wants, message, standsInFor, ...link }) => [
          `${describeVisitor(link)} requested ${describeRequest(wants)} for ${nameLink(link)}.`,
          ...(standsInFor === undefined ? [] : [`The link belongs to ${standsInFor}, who can’t answer. Please answer instead.`]),
          ...(message === null ? [] : ['They wrote:', { quote: message }]),
        ]),
        'We haven’t verified who they are or what they wrote. You can answer on the Links page.',
      ],
      action: { label: 'Answer', url },
    })
  },

  linksHandedOver: ({ owner, links, count, url }: { owner: string; links: HandedOverLink[]; count: string; url: string }) => {
    const [only] = count === '1' ? links : []
    return renderEmail({
      subject: only ? `You now own the link to ${nameShortly(only)}` : `You now own ${count} more links`,
      paragraphs: [
        `Hi ${owner},`,
        `An administrator handed ${only ? 'a link' : `${count} links`} over to you. You’ll get the notices about ${only ? 'it' : 'them'} from now on. The recipients keep using the same ${only ? 'address and code' : 'addresses and codes'}, and see your name.`,
        ...links.map((link) => `${nameLink(link)}, from ${link.from}`),
        ...(only || count === String(links.length) ? [] : ['The others are on the Links page.']),
      ],
      action: { label: only ? 'View the link' : 'View your links', url },
    })
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

interface HandedOverLink extends NamedLink {
  /** The name of the previous owner. */
  from: string
}

const nameLink = ({ name, company }: NamedLink) => (company === undefined ? `“${name}”` : `“${name}” (${company})`)

/** Names a link in a subject line. */
const nameShortly = ({ name, company, sentTo }: NamedLink) =>
  nameLink({ name: shorten(name), company: company === undefined ? undefined : shorten(company), sentTo })

/** Anyone who has the link and its code can use it, so the address doesn't prove who it was. */
const describeVisitor = ({ sentTo }: NamedLink) => (sentTo === null ? 'Someone' : `Someone with the link sent to ${sentTo}`)

const describeRequest = (wants: Ask['wants']) => (wants === 'time' ? 'more time' : 'a new access code')
