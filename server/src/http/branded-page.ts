import { createTextFile, type SmallFile } from './send-file.ts'

/** What an organisation adds to our page. */
export interface PageBrand {
  /** Without one, the page keeps its own. */
  title: string | null
  /** Written into the page as JSON, for the web app. */
  data: object
  /** The URLs of a stylesheet and an icon. */
  stylesheet: string | undefined
  icon: string | undefined
}

/** Returns a function that writes a brand into a page. It keeps the last result, as long as it gets the same object. */
export function createPageWriter(page: SmallFile) {
  const html = page.plain.toString()
  let last: { brand: PageBrand; file: SmallFile } | undefined
  return (brand: PageBrand | undefined): SmallFile => {
    if (!brand) return page
    if (last?.brand !== brand) last = { brand, file: createTextFile('.html', writeBrand(html, brand)) }
    return last.file
  }
}

/**
 * Writes a brand into a page: data and URLs only, so that the content security policy needs no exception. Our own styles come first, so
 * that those of the organisation win. The replacements are functions, because `$&` in a text would be replaced otherwise.
 */
function writeBrand(html: string, { title, data, stylesheet, icon }: PageBrand): string {
  const block = `    <script type="application/json" id="brand">${toScriptText(data)}</script>\n`
  const style = stylesheet ? `    <link rel="stylesheet" href="${escapeHtml(stylesheet)}" />\n` : ''
  return html
    .replace(/<title>[^<]*<\/title>/, (own) => (title === null ? own : `<title>${escapeHtml(title)}</title>`))
    .replace(/<link rel="icon"[^>]*>/, (link) =>
      icon ? `<link rel="icon" href="${escapeHtml(icon)}" type="image/png" />` : link,
    )
    .replace(/ *<\/head>/, (end) => `${style}${block}${end}`)
}

/** Escapes all characters that mean something in a script element, in HTML or in older versions of JavaScript. */
const toScriptText = (data: object) =>
  JSON.stringify(data).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
