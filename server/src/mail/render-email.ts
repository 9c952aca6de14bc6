import type { EmailContent } from './mailer.ts'

/** Text written by an unverified sender. It is set apart, and put on one line without links. */
interface Quote {
  quote: string
}

/** A short message with at most one action. */
interface Content {
  subject: string
  paragraphs: (string | Quote)[]
  /** An access code, which is set apart. */
  secret?: { label: string; text: string }
  action?: { label: string; url: string }
  after?: string[]
}

/** Renders an email as plain text, and as HTML that every mail program can show. */
export function renderEmail({ subject, paragraphs, secret, action, after = [] }: Content): EmailContent {
  const actionLines = action ? [`${action.label}:\n${action.url}`] : []
  const secretLines = secret ? [`${secret.label}:\n${secret.text}`] : []
  const toText = (paragraph: string | Quote) =>
    typeof paragraph === 'string' ? wrap(paragraph) : wrap(defuseLinks(paragraph.quote)).replaceAll(/^/gm, '> ')
  const text = [...paragraphs.map(toText), ...secretLines, ...actionLines, ...after.map(wrap), '-- \nNeptune']
  return { subject, text: `${text.join('\n\n')}\n`, html: renderHtml(subject, paragraphs, secret, action, after) }
}

const maxQuoteLength = 200

/**
 * Changes a text so that mail programs don't turn parts of it into links, and removes invisible and direction-changing
 * characters.
 */
const defuseLinks = (text: string) =>
  [...text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
    .slice(0, maxQuoteLength)
    .join('')
    .replaceAll(/:(?=\/\/)/g, '[:]')
    .replaceAll(/(?<=[\p{L}\p{N}])[.。．｡](?=[\p{L}\p{N}])/gu, '[.]')

/** Wraps lines at 72 characters, so that they need no encoding with soft line breaks. Never breaks a URL. */
const wrap = (text: string) => text.replaceAll(/(.{1,72})(?:\s+|$)/g, '$1\n').trimEnd()

/** Renders the HTML part. Uses tables and inline styles, because mail programs support little else, and loads nothing. */
function renderHtml(
  subject: string,
  paragraphs: Content['paragraphs'],
  secret: Content['secret'],
  action: Content['action'],
  after: string[],
) {
  const renderParagraph = (text: string | Quote) =>
    typeof text === 'string'
      ? `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
      : `<blockquote style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #c9d1d9">${escapeHtml(defuseLinks(text.quote))}</blockquote>`
  const renderSecret = (text: string) => `
<p style="margin:0 0 16px;padding:12px 16px;border-radius:8px;background:#f1f4f7;font:600 20px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:1px">${escapeHtml(text)}</p>`
  const renderButton = ({ label, url }: { label: string; url: string }) => `
<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#006eb3;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#59616b">If the button doesn’t work, open this link:<br><a href="${escapeHtml(url)}" style="color:#006eb3;word-break:break-all">${escapeHtml(url)}</a></p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f8fafb">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f8fafb"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td style="padding:0 0 16px;font:600 16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#182029">Neptune</td></tr>
<tr><td style="padding:32px;border-radius:12px;background:#ffffff;font:400 16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#182029">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(subject)}</h1>
${paragraphs.map(renderParagraph).join('\n')}${secret ? renderSecret(secret.text) : ''}${action ? renderButton(action) : ''}${after.map(renderParagraph).join('\n')}
</td></tr></table>
</td></tr></table>
</body></html>
`
}

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
