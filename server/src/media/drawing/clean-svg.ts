import { isUtf8 } from 'node:buffer'

/**
 * Rewrites an SVG so that it draws shapes and can do nothing else. An SVG can contain scripts, HTML, texts in fonts of the server, images
 * and references to other files and servers. So nothing of the input is passed on as it is: it is parsed strictly, and only known elements
 * are written again, with references only to each other.
 */

/** Containers, shapes, and what shapes refer to. They are written again; other elements are left out with everything in them. */
const keptElements = new Set(
  `svg g a defs symbol use switch path rect circle ellipse line polyline polygon
  linearGradient radialGradient stop clipPath mask pattern marker style`.split(/\s+/),
)
/** Without these the logo would look wrong: the server doesn't have the fonts, and an image would need another decoder. */
const rejectedElements = new Set(['text', 'image'])

const maxDepth = 100
const maxElements = 20_000

/** The size in which an SVG is drawn: twice that of a logo. */
const maxWidth = 960
const maxHeight = 320
export const svgMaxPixels = maxWidth * maxHeight

class UnsafeSvgError extends Error {}

const reject = (reason: string): never => {
  throw new UnsafeSvgError(reason)
}

/** Returns an SVG to draw in at most 960 × 320 pixels, or undefined if the bytes are not an SVG that can be drawn safely. */
export function cleanSvg(bytes: Buffer): Buffer | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    return Buffer.from(
      rewrite(
        bytes
          .toString()
          .replace(/^\ufeff/, '')
          .replace(declaration, ''),
      ),
    )
  } catch (error) {
    if (error instanceof UnsafeSvgError) return undefined
    throw error
  }
}

const declaration = /^\s*<\?xml\s+version=["']1\.\d["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>/i
/** Many programs write this one. It declares nothing, so it is left out. All others are rejected, because they can declare entities. */
const standardDoctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1\\.[01]//EN"\\s+"https?://www\\.w3\\.org/[\\w./-]+"\\s*>'

const name = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
/** Matches the next part of a document: a comment, a CDATA section, an end tag, a start tag, or text. No other markup is accepted. */
const part = new RegExp(
  [
    '<!--[^]*?-->',
    standardDoctype,
    '<!\\[CDATA\\[(?<data>[^]*?)\\]\\]>',
    `</(?<end>${name})\\s*>`,
    `<(?<start>${name})(?<attributes>(?:\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(?<isEmpty>/?)>`,
    '(?<text>[^<]+)',
  ].join('|'),
  'y',
)
const attribute = new RegExp(`(?<name>${name})\\s*=\\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')`, 'g')

interface OpenElement {
  tag: string
  /** The name to write, or undefined if the element is left out. */
  kept: string | undefined
}

function rewrite(text: string): string {
  if (/[^\P{Cc}\t\n\r]|\\/u.test(text)) reject('control characters, or backslashes, which hide words in CSS')
  const open: OpenElement[] = []
  const output: string[] = []
  let elements = 0
  let style = ''
  part.lastIndex = 0
  while (part.lastIndex < text.length) {
    const { data, end, start, attributes = '', isEmpty, text: raw } = part.exec(text)?.groups ?? reject('malformed markup')
    if (start !== undefined) {
      if (open.length === 0 && elements > 0) reject('a second root element')
      if (++elements > maxElements || open.length >= maxDepth) reject('too many elements')
      const element = openElement(start, open)
      if (element.kept) output.push(writeStartTag(element.kept, readAttributes(attributes), open.length === 0))
      open.push(element)
    }
    const content = data ?? decode(raw ?? '')
    if (open.at(-1)?.kept === 'style') style += content
    else if (open.length === 0 && content.trim() !== '') reject('text outside of the root element')
    if (end !== undefined || isEmpty) {
      const element = open.pop()
      if (!element || (end ?? element.tag) !== element.tag) reject('tags that don’t match')
      if (element?.kept) output.push(`${escapeXml(checkReferences(style))}</${element.kept}>`)
      style = ''
    }
  }
  if (open.length > 0 || elements === 0) reject('an incomplete document')
  return output.join('')
}

function openElement(tag: string, open: OpenElement[]): OpenElement {
  const isRoot = open.length === 0
  const local = tag.replace(/^svg:/, '')
  if (isRoot && local !== 'svg') reject('another kind of document')
  const isKept = (isRoot || open.at(-1)?.kept !== undefined) && keptElements.has(local)
  if (rejectedElements.has(local)) reject('an element that can’t be drawn')
  if (open.at(-1)?.kept === 'style') reject('an element in a style')
  return { tag, kept: isKept ? local : undefined }
}

function readAttributes(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const { groups = {} } of text.matchAll(attribute)) {
    const value = decode(groups['double'] ?? groups['single'] ?? '')
    values.set(groups['name'] ?? '', checkReferences(value))
  }
  return values
}

function writeStartTag(tag: string, attributes: Map<string, string>, isRoot: boolean): string {
  const href = attributes.get('href') ?? attributes.get('xlink:href')
  if (href !== undefined && tag !== 'a' && !href.startsWith('#')) reject('a reference to another file')
  const plain = [...attributes].filter(([name]) => /^[a-z][a-z0-9-]*$/i.test(name) && !/^(on.*|href|xmlns)$/i.test(name))
  const kept = new Map([...plain, ...(href?.startsWith('#') ? [['xlink:href', href] as const] : [])])
  if (isRoot) for (const [key, value] of Object.entries(fitRoot(attributes))) kept.set(key, value)
  return `<${tag}${[...kept].map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('')}>`
}

/** Returns the attributes of the root element that draw it in the wanted size, whatever size it states. */
function fitRoot(attributes: Map<string, string>) {
  const [x, y, width, height] = readViewBox(attributes)
  const isDrawable = [x, y, width, height].every((value) => Math.abs(value) <= 1e6) && Math.min(width, height) >= 1e-3
  if (!isDrawable) reject('an unusable size')
  const scale = Math.min(maxWidth / width, maxHeight / height)
  return {
    xmlns: 'http://www.w3.org/2000/svg',
    'xmlns:xlink': 'http://www.w3.org/1999/xlink',
    width: String(Math.max(1, Math.round(width * scale))),
    height: String(Math.max(1, Math.round(height * scale))),
    viewBox: `${x} ${y} ${width} ${height}`,
  }
}

type ViewBox = [x: number, y: number, width: number, height: number]

function readViewBox(attributes: Map<string, string>): ViewBox {
  const viewBox = attributes.get('viewBox')
  if (viewBox === undefined) return [0, 0, readLength(attributes.get('width')), readLength(attributes.get('height'))]
  const numbers = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return numbers.length === 4 ? (numbers as ViewBox) : reject('an invalid viewBox')
}

/** Pixels per unit (CSS Values and Units, 5.2). */
const units: Record<string, number> = { '': 1, px: 1, pt: 96 / 72, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4 }

function readLength(value = ''): number {
  const { number, unit = '' } = /^\s*(?<number>[\d.]+)(?<unit>[a-z]*)\s*$/.exec(value)?.groups ?? {}
  return Number(number) * (units[unit] ?? Number.NaN)
}

/** Rejects CSS, and values of attributes, that refer to anything outside of the document. */
function checkReferences(value: string): string {
  if (/@import/i.test(value)) reject('a stylesheet in another file')
  if (/url\s*\((?!\s*["']?\s*#)/i.test(value)) reject('a reference to another file')
  return value
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Replaces character references. Rejects entities, which only a DOCTYPE could declare. */
const decode = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));|&/gi, (_, decimal, hex, entity) => {
    if (entity !== undefined) return entities[entity] ?? reject('an entity')
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    const isText = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && code !== 0x5c
    return isText || code === 9 || code === 10 || code === 13 ? String.fromCodePoint(code) : reject('an invalid character')
  })

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
