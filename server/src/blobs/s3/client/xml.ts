import type { S3Client } from './s3-client.ts'

/** Returns the contents of all elements with this name. S3's XML is simple: no relevant attributes, no nesting of equal names. */
export function findElements(xml: string, name: string): string[] {
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

/** Returns the text of the first element with this name, or an empty string. */
export const readElementText = (xml: string, name: string): string => unescapeXml(findElements(xml, name)[0] ?? '')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export const escapeXml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const unescapeXml = (text: string) =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })

type Texts = Record<string, string>

/** Returns the query for the next page of a listing. `markers` maps elements of this page to parameters of the query. */
export function getNextPageQuery(page: string, markers: Texts): Texts | undefined {
  if (readElementText(page, 'IsTruncated') !== 'true') return undefined
  return Object.fromEntries(Object.entries(markers).map(([element, parameter]) => [parameter, readElementText(page, element)]))
}

/** Yields the pages of a listing. */
export async function* listPages(client: S3Client, query: Texts, markers: Texts) {
  for (let pageQuery: Texts | undefined = {}; pageQuery; ) {
    const { text } = await client.request({ method: 'GET', query: { ...query, ...pageQuery } }, [200])
    yield text
    const previous: string = JSON.stringify(pageQuery)
    pageQuery = getNextPageQuery(text, markers)
    if (JSON.stringify(pageQuery) === previous) throw new Error('The store returns the same page of a listing again')
  }
}
