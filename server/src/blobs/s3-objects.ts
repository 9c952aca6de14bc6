import { type Body, bodyOf, type Patience, type S3Client } from './s3-client.ts'

/** A piece of an object that is not whole yet. */
export interface Part {
  number: number
  size: number
  etag: string
}

export type S3Objects = ReturnType<typeof s3Objects>

/** Putting many parts together may take a store its time. */
const long: Patience = { patience: 31_000, quiet: 30_000 }

/** What we ask of S3, call by call. */
export function s3Objects(client: S3Client) {
  /** Not every store can refuse to overwrite. */
  let isConditional = true

  async function head(key: string): Promise<{ size: number; changedAt: Date } | undefined> {
    const { status, headers } = await client.ask({ method: 'HEAD', key }, [200, 404])
    if (status === 404) return undefined
    return { size: Number(headers['content-length']), changedAt: new Date(headers['last-modified'] ?? 0) }
  }

  /** The last word about an object that was just made, whatever was answered to the making. */
  async function expectSize(key: string, size: number, trouble: unknown) {
    const there = await head(key)
    if (there?.size === size) return
    throw trouble ?? new Error(`The store says that it has ${key}, and has ${there?.size ?? 'no'} bytes of ${size}`)
  }

  async function* pages(query: Record<string, string>, next: (page: string) => Record<string, string> | undefined) {
    for (let more: Record<string, string> | undefined = {}; more; ) {
      const { text } = await client.ask({ method: 'GET', query: { ...query, ...more } }, [200])
      yield text
      const before: string = JSON.stringify(more)
      more = next(text)
      if (JSON.stringify(more) === before) throw new Error('The store lists the same again and again')
    }
  }

  return {
    head,
    expectSize,

    /** One object in one go, never over another one. */
    async put(key: string, body: Body): Promise<void> {
      const ask = () =>
        client.ask({ method: 'PUT', key, body, headers: isConditional ? { 'if-none-match': '*' } : {} }, [200, 409, 412, 501])
      let { status } = await ask()
      if (status === 501) {
        isConditional = false
        status = (await ask()).status
      }
      // If there is one already it is ours, if an earlier try was heard and its answer was not. And whatever was answered, we look.
      await expectSize(key, body.size, status === 200 ? undefined : new Error(`There is an object ${key} already (${status})`))
    },

    async remove(key: string, patience?: Patience): Promise<void> {
      await client.ask({ method: 'DELETE', key }, [200, 204, 404], patience)
    },

    async *list(prefix: string): AsyncGenerator<{ key: string; changedAt: Date }> {
      const query = { 'list-type': '2', prefix }
      for await (const page of pages(query, (page) => nextOf(page, { NextContinuationToken: 'continuation-token' })))
        for (const entry of elementsOf(page, 'Contents'))
          yield { key: textOf(entry, 'Key'), changedAt: new Date(textOf(entry, 'LastModified')) }
    },

    /** An object in parts begins. Asking again may begin two; the other one is found by `unfinished`. */
    async begin(key: string): Promise<string> {
      const { text } = await client.ask({ method: 'POST', key, query: { uploads: '' } }, [200])
      return textOf(text, 'UploadId')
    },

    async putPart(key: string, uploadId: string, number: number, body: Body): Promise<Part> {
      const query = { partNumber: String(number), uploadId }
      const { headers } = await client.ask({ method: 'PUT', key, query, body }, [200])
      return { number, size: body.size, etag: headers.etag ?? '' }
    },

    /** Makes another object a part, within the store: in the size the store then says it has. */
    async copyPart(key: string, uploadId: string, number: number, from: string): Promise<Part | undefined> {
      const query = { partNumber: String(number), uploadId }
      const headers = { 'x-amz-copy-source': client.placeOf(from) }
      const { text: copied } = await client.ask({ method: 'PUT', key, query, headers }, [200], long)
      const only = { uploadId, 'max-parts': '1', 'part-number-marker': String(number - 1) }
      const { text } = await client.ask({ method: 'GET', key, query: only }, [200])
      const [entry = ''] = elementsOf(text, 'Part')
      if (Number(textOf(entry, 'PartNumber')) !== number) return undefined
      return { number, size: Number(textOf(entry, 'Size')), etag: textOf(copied, 'ETag') } // Swift lists a copy without its tag
    },

    /** Makes parts an object. Whatever is answered, or nothing is: the object itself tells whether it is there. */
    async complete(key: string, uploadId: string, parts: Part[]): Promise<void> {
      const named = parts.map(
        ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
      )
      const body = bodyOf(`<CompleteMultipartUpload>${named.join('')}</CompleteMultipartUpload>`)
      const trouble = await client.ask({ method: 'POST', key, query: { uploadId }, body }, [200], long).then(
        () => undefined,
        (error: unknown) => error,
      )
      const size = parts.reduce((sum, part) => sum + part.size, 0)
      await expectSize(key, size, trouble)
    },

    /** Every object in parts that is not whole yet. */
    async *unfinished(prefix: string): AsyncGenerator<{ key: string; uploadId: string; begunAt: Date }> {
      const markers = { NextKeyMarker: 'key-marker', NextUploadIdMarker: 'upload-id-marker' }
      for await (const page of pages({ uploads: '', prefix }, (page) => nextOf(page, markers)))
        for (const entry of elementsOf(page, 'Upload'))
          yield {
            key: textOf(entry, 'Key'),
            uploadId: textOf(entry, 'UploadId'),
            begunAt: new Date(textOf(entry, 'Initiated')),
          }
    },

    /** When the last part came. */
    async grownAt(key: string, uploadId: string): Promise<Date | undefined> {
      let last: Date | undefined
      for (let more: Record<string, string> | undefined = {}; more; ) {
        const { status, text }: { status: number; text: string } = await client.ask(
          { method: 'GET', key, query: { uploadId, ...more } },
          [200, 404, 501],
        )
        if (status !== 200) return last
        for (const entry of elementsOf(text, 'Part')) {
          const at = new Date(textOf(entry, 'LastModified'))
          if (!last || at > last) last = at
        }
        more = nextOf(text, { NextPartNumberMarker: 'part-number-marker' })
      }
      return last
    },

    async abort(key: string, uploadId: string, patience?: Patience): Promise<void> {
      await client.ask({ method: 'DELETE', key, query: { uploadId } }, [200, 204, 404], patience)
    },
  }
}

/** Where a listing goes on: by which query, taken from which elements. */
function nextOf(page: string, names: Record<string, string>): Record<string, string> | undefined {
  if (textOf(page, 'IsTruncated') !== 'true') return undefined
  return Object.fromEntries(Object.entries(names).map(([element, query]) => [query, textOf(page, element)]))
}

/** S3 answers in plain XML: no attributes that matter, and no element within one of the same name. */
function elementsOf(xml: string, name: string): string[] {
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

const textOf = (xml: string, name: string): string => unescaped(elementsOf(xml, name)[0] ?? '')

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const unescaped = (text: string) =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return signs[name] ?? whole
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })
