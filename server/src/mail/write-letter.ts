import type { Letter } from './mailer.ts'

/** A stranger's text: set apart, on one line, without links. */
interface Quote {
  quote: string
}

/** A few sentences, and at most one thing to do. */
interface Content {
  subject: string
  paragraphs: (string | Quote)[]
  /** Something to read out or type in: set apart. */
  secret?: { label: string; text: string }
  action?: { label: string; url: string }
  after?: string[]
}

/** Returns the same text twice: as plain text, and as HTML that every mail program can show. */
export function writeLetter({ subject, paragraphs, secret, action, after = [] }: Content): Letter {
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
