import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A link on a page. Its position is in percent of the page. */
export interface PageLink {
  /** A URL, or a destination in the PDF. */
  target: { href: string } | { destination: unknown }
  position: { insetInlineStart: string; insetBlockStart: string; inlineSize: string; blockSize: string }
}

/** A page with thousands of links would be slow, and nobody could use them. */
const maxLinks = 500

const safeProtocols = ['https:', 'http:', 'mailto:', 'tel:']

/** Returns the links of a page that open a URL or a destination in the PDF. Leaves out other actions, such as scripts. */
export async function readPageLinks(page: PDFPageProxy): Promise<PageLink[]> {
  const { width, height, ...viewport } = page.getViewport({ scale: 1 })
  const annotations: { subtype: string; rect: number[]; url?: string; dest?: unknown }[] = await page.getAnnotations()
  return annotations
    .filter(({ subtype }) => subtype === 'Link')
    .slice(0, maxLinks)
    .flatMap(({ rect, url, dest }) => {
      const target = findTarget(url, dest)
      if (!target) return []
      const [x1 = 0, y1 = 0] = toViewport(viewport.transform, rect[0], rect[1])
      const [x2 = 0, y2 = 0] = toViewport(viewport.transform, rect[2], rect[3])
      const position = {
        insetInlineStart: toPercent(Math.min(x1, x2), width),
        insetBlockStart: toPercent(Math.min(y1, y2), height),
        inlineSize: toPercent(Math.abs(x2 - x1), width),
        blockSize: toPercent(Math.abs(y2 - y1), height),
      }
      return [{ target, position }]
    })
}

function findTarget(url: string | undefined, dest: unknown): PageLink['target'] | undefined {
  if (url !== undefined) return safeProtocols.includes(URL.parse(url)?.protocol ?? '') ? { href: url } : undefined
  return dest === undefined || dest === null ? undefined : { destination: dest }
}

const toViewport = ([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: number[], x = 0, y = 0) => [a * x + c * y + e, b * x + d * y + f]

const toPercent = (part: number, whole: number) => `${(100 * part) / whole}%`

/** Returns the page number of a destination, counted from 1; undefined if the destination is invalid. */
export async function findPageNumber(document: PDFDocumentProxy, destination: unknown): Promise<number | undefined> {
  try {
    const explicit = typeof destination === 'string' ? await document.getDestination(destination) : destination
    const [page] = Array.isArray(explicit) ? explicit : []
    if (typeof page === 'number') return page + 1
    return page ? (await document.getPageIndex(page)) + 1 : undefined
  } catch {
    return undefined // a broken link
  }
}
