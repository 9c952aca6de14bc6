import { deriveAccent } from '@neptune/contract'
import type { Block, EmailBody } from './emails/email-body.ts'
import type { Localizer } from './localizer.ts'
import { defuseLinks, splitMessage, toLine } from './plain-text.ts'
import type { EmailBrand, Footer } from './render-email.ts'

const defaultAccent = '#006eb3'

/** The colours of the web app (web/src/styles/tokens.css). Mail programs don't know OKLCH. */
const light = { canvas: '#f8fafb', card: '#ffffff', text: '#182029', muted: '#59616b', line: '#e0e3e7', code: '#f1f4f7' }
const dark = { canvas: '#0d1116', card: '#1b2127', text: '#e8ebef', muted: '#a1a9b0', line: '#3a4149', code: '#2b3137' }

const sans = "system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const mono = "ui-monospace,Menlo,Consolas,'Liberation Mono',monospace"

/**
 * Renders the HTML part. It uses tables and inline styles, because mail programs support little else, and loads only the logo. The
 * stylesheet adds what inline styles can't express: dark colours and less space on phones. A program that ignores it shows the light email.
 */
export function renderHtml(body: EmailBody, footer: Footer, { t, language, organisation }: Localizer, brand: EmailBrand): string {
  const accent = deriveAccent(brand.accent ?? defaultAccent)
  const { subject, readerName, paragraphs, secret, action, after = [] } = body
  const [preview] = paragraphs
  const content = [
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(subject)}</h1>`,
    ...(readerName === undefined ? [] : [renderParagraph(escapeHtml(t('Hi {name},', { name: readerName })))]),
    ...paragraphs.map((block) => renderBlock(block, accent.light.text)),
    ...(secret ? [renderSecret(secret)] : []),
    ...(action ? [renderButton(action, accent.light)] : []),
    ...after.map((block) => renderBlock(block, accent.light.text)),
    ...(action ? [renderFallback(action, accent.light.text, t('If the button doesn’t work, open this link:'))] : []),
  ]
  return `<!doctype html>
<html lang="${language}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><meta name="x-apple-disable-message-reformatting"><title>${escapeHtml(subject)}</title>
<style>${buildStylesheet(accent.dark)}</style></head>
<body class="canvas" style="margin:0;padding:0;background:${light.canvas};-webkit-text-size-adjust:100%">
<div style="display:none">${typeof preview === 'string' ? escapeHtml(preview) : ''}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed;background:${light.canvas}"><tr><td class="outer" align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;table-layout:fixed;text-align:left;font:400 16px/1.5 ${sans};color:${light.text}">
<tr><td class="head text" style="padding:0 32px 20px;font:600 18px/1.4 ${sans};color:${light.text};overflow-wrap:anywhere;hyphens:auto;-webkit-hyphens:auto">${renderLogos(brand.logos, organisation)}</td></tr>
<tr><td class="card text" style="padding:32px 32px 16px;border:1px solid ${light.line};border-radius:12px;background:${light.card};color:${light.text};overflow-wrap:anywhere">
${content.join('\n')}
</td></tr>
<tr><td class="foot muted" style="padding:20px 32px 0;font:400 13px/1.5 ${sans};color:${light.muted};overflow-wrap:anywhere">
${renderFooter(footer)}
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body></html>
`
}

type Shades = ReturnType<typeof deriveAccent>['light']

const buildStylesheet = ({ text, fill, onFill }: Shades) => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
.only-dark{display:none}
@media (max-width:520px){.outer{padding:20px 12px!important}.head{padding:0 20px 16px!important}.card{padding:24px 20px 8px!important}.foot{padding:16px 20px 0!important}}
@media (prefers-color-scheme:dark){
.canvas{background:${dark.canvas}!important}
.card{background:${dark.card}!important;border-color:${dark.line}!important}
.text{color:${dark.text}!important}
.muted{color:${dark.muted}!important}
.link{color:${text}!important}
.button{background:${fill}!important;border-color:${fill}!important;color:${onFill}!important}
.code{background:${dark.code}!important;color:${dark.text}!important}
.quote{border-color:${dark.muted}!important}
.only-light{display:none!important}
.only-dark{display:inline-block!important}
.plate{background:#ffffff!important;padding:8px!important;border-radius:8px!important}
}
`

const maxLogo = { width: 240, height: 48 }

/**
 * Renders the logos, or the organisation's name if there are none. A single logo is shown in both themes: one for light pages on a white
 * plate in the dark theme, one for dark pages on a dark plate in both. The alt text is the organisation's name.
 */
function renderLogos({ light: onLight, dark: onDark }: EmailBrand['logos'], name: string): string {
  const render = ({ url, width, height }: NonNullable<typeof onLight>, className: string, style: string) => {
    const scale = Math.min(1, maxLogo.width / width, maxLogo.height / height)
    const size = `width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`
    return `<img class="${className}" src="${escapeHtml(url)}" ${size} alt="${escapeHtml(name)}" style="border:0;max-width:100%;height:auto;${style}">`
  }
  if (!onLight && !onDark) return escapeHtml(name)
  if (onLight && onDark)
    return (
      render(onLight, 'only-light', 'display:inline-block') +
      // Outlook ignores the style of images, so it gets only one.
      `<!--[if !mso]><!-->${render(onDark, 'only-dark', 'display:none')}<!--<![endif]-->`
    )
  if (onLight) return render(onLight, 'plate', 'display:inline-block')
  return onDark ? render(onDark, '', `display:inline-block;padding:8px;border-radius:8px;background:${dark.card}`) : ''
}

const renderParagraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`

const renderQuote = (html: string) =>
  `<blockquote class="quote" style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid ${light.muted}">${html}</blockquote>`

const renderLink = (url: string, label: string, color: string) =>
  `<a class="link" href="${escapeHtml(url)}" style="color:${color};word-break:break-all">${escapeHtml(label)}</a>`

function renderBlock(block: Block, color: string): string {
  if (typeof block === 'string') return renderParagraph(escapeHtml(block))
  if ('quote' in block) return renderQuote(escapeHtml(defuseLinks(block)))
  if ('message' in block) return renderQuote(splitMessage(block).map(escapeHtml).join('<br>'))
  if ('list' in block) {
    const items = block.list.map((item) => `<li style="margin:0 0 4px">${escapeHtml(item)}</li>`)
    return `<ul style="margin:0 0 16px;padding:0 0 0 20px">${items.join('')}</ul>`
  }
  return renderParagraph(`${escapeHtml(block.text)}<br>${renderLink(block.url, block.url, color)}`)
}

const renderSecret = ({ label, text }: { label: string; text: string }) =>
  `<div class="code" style="margin:0 0 16px;padding:12px 16px;border-radius:8px;background:${light.code};color:${light.text}"><span class="muted" style="display:block;font-size:13px;color:${light.muted}">${escapeHtml(label)}</span><span style="font:600 20px/1.4 ${mono};letter-spacing:1px">${escapeHtml(text)}</span></div>`

/** Renders the button as a cell, because Outlook ignores the padding of links. */
const renderButton = ({ label, url }: { label: string; url: string }, { fill, onFill }: Shades) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0"><tr><td class="button" bgcolor="${fill}" style="border-radius:8px;background:${fill};mso-padding-alt:12px 20px"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:11px 20px;border:1px solid ${fill};border-radius:8px;background:${fill};color:${onFill};font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`

/** Repeats the link of the button as text, for programs that block it, and for people who want to see where it leads. */
const renderFallback = ({ url }: { url: string }, color: string, text: string) =>
  `<p class="muted" style="margin:0 0 16px;font-size:13px;color:${light.muted}">${escapeHtml(text)}<br>${renderLink(url, url, color)}</p>`

function renderFooter({ lines, portal, links, note }: Footer): string {
  const render = (html: string) => `<p style="margin:0 0 4px">${html}</p>`
  const [name, ...rest] = lines
  const toLink = ({ label, url }: { label: string; url: string }) =>
    `<a class="muted" href="${escapeHtml(url)}" style="color:${light.muted}">${escapeHtml(label)}</a>`
  return [
    ...(name === undefined ? [] : [render(`<strong>${escapeHtml(name)}</strong>`)]),
    ...rest.map((line) => render(escapeHtml(line))),
    render(toLink({ label: portal.replace(/^https?:\/\//, ''), url: portal })),
    ...(links.length > 0 ? [render(links.map(toLink).join(' · '))] : []),
    render(escapeHtml(note)),
  ].join('\n')
}

const escapeHtml = (text: string) => toLine(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
