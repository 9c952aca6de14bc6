import type { S3Client } from './s3-client.ts'

/** S3 answers in plain XML: no attributes that matter, and no element within one of the same name. */
export function elementsOf(xml: string, name: string): string[] {
  const found: string[] = []
  for (let at = xml.indexOf(`<${name}>`); at !== -1; at = xml.indexOf(`<${name}>`, at)) {
    const start = at + name.length + 2
    const end = xml.indexOf(`</${name}>`, start)
    if (end === -1) break
    found.push(xml.slice(start, end))
    at = end
  }
  return found
}

export const textOf = (xml: string, name: string): string => unescaped(elementsOf(xml, name)[0] ?? '')

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const unescaped = (text: string) =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return signs[name] ?? whole
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })

type Texts = Record<string, string>

/** Where a listing goes on: by which query, taken from which elements. */
export function nextOf(page: string, names: Texts): Texts | undefined {
  if (textOf(page, 'IsTruncated') !== 'true') return undefined
  return Object.fromEntries(Object.entries(names).map(([element, query]) => [query, textOf(page, element)]))
}

/** The pages of a listing, which goes on as `nextOf` says. */
export async function* pagesOf(client: S3Client, query: Texts, names: Texts) {
  for (let more: Texts | undefined = {}; more; ) {
    const { text } = await client.ask({ method: 'GET', query: { ...query, ...more } }, [200])
    yield text
    const before: string = JSON.stringify(more)
    more = nextOf(text, names)
    if (JSON.stringify(more) === before) throw new Error('The store lists the same again and again')
  }
}
