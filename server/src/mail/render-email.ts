import type { Block, EmailBody, WriteEmail } from './emails/email-body.ts'
import type { Localizer } from './localizer.ts'
import type { EmailContent } from './mailer.ts'
import { defuseLinks, splitMessage, toLine, wrap } from './plain-text.ts'
import { renderHtml } from './render-html.ts'

interface Logo {
  url: string
  width: number
  height: number
}

/** The brand of the sender, besides their name. URLs are absolute. */
export interface EmailBrand {
  /** Whether the organisation or company has set a name. If not, the footer leaves it out. */
  isNamed: boolean
  /** The address of the portal. */
  url: string
  logos: { light: Logo | null; dark: Logo | null }
  /** The accent colour as `#rrggbb`. */
  accent: string | null
  /** A text for recipients. */
  welcome: string | null
  imprintUrl: string | null
  privacyUrl: string | null
}

/** The end of every email. */
export interface Footer {
  /** The name and the welcome text of the sender, if they are set. */
  lines: string[]
  portal: string
  links: { label: string; url: string }[]
  note: string
}

/** Renders an email as plain text, and as HTML that every mail program can show. Both say the same. */
export function renderEmail(write: WriteEmail, localizer: Localizer, brand: EmailBrand): EmailContent {
  const body = write(localizer)
  const subject = toLine(body.subject)
  const footer = createFooter(localizer, brand)
  return {
    language: localizer.language,
    subject,
    text: renderText(body, footer, localizer),
    html: renderHtml({ ...body, subject }, footer, localizer, brand),
  }
}

function createFooter({ t, organisation }: Localizer, { isNamed, url, welcome, imprintUrl, privacyUrl }: EmailBrand): Footer {
  return {
    lines: [...(isNamed ? [organisation] : []), ...(welcome === null ? [] : [welcome])],
    portal: url,
    links: [
      ...(imprintUrl === null ? [] : [{ label: t('Imprint'), url: imprintUrl }]),
      ...(privacyUrl === null ? [] : [{ label: t('Privacy'), url: privacyUrl }]),
    ],
    note: t('Powered by Neptune'),
  }
}

function renderText(
  { readerName, paragraphs, secret, action, after = [] }: EmailBody,
  footer: Footer,
  { t, language }: Localizer,
): string {
  const addColon = (label: string) => (language === 'fr' ? `${label}\u00a0:` : `${label}:`)
  const parts = [
    ...(readerName === undefined ? [] : [wrap(t('Hi {name},', { name: readerName }))]),
    ...paragraphs.map(toText),
    ...(secret ? [`${addColon(secret.label)}\n${secret.text}`] : []),
    ...(action ? [`${addColon(action.label)}\n${action.url}`] : []),
    ...after.map(toText),
    [
      '-- ',
      ...footer.lines.map(wrap),
      footer.portal,
      ...footer.links.map(({ label, url }) => `${addColon(label)} ${url}`),
      footer.note,
    ].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

function toText(block: Block): string {
  if (typeof block === 'string') return wrap(block)
  if ('list' in block) return block.list.map((item) => wrap(`- ${item}`).replaceAll('\n', '\n  ')).join('\n')
  if ('quote' in block) return wrap(defuseLinks(block)).replaceAll(/^/gm, '> ')
  if ('message' in block) return splitMessage(block).map(wrap).join('\n').replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '')
  return `${wrap(block.text)}\n${block.url}`
}
