import { type Body, bodyOf } from './s3-call.ts'
import type { Patience, S3Client } from './s3-client.ts'
import { elementsOf, escaped, nextOf, pagesOf, textOf } from './s3-xml.ts'

/** A piece of an object that is not whole yet. */
export interface Part {
  number: number
  size: number
  etag: string
}

type ExpectSize = (key: string, size: number, trouble: unknown) => Promise<void>

/** Putting many parts together may take a store its time. */
const long: Patience = { patience: 31_000, quiet: 30_000 }

/** The calls that make an object of parts. */
export const inParts = (client: S3Client, expectSize: ExpectSize) => ({ ...making(client, expectSize), ...begun(client) })

function making(client: S3Client, expectSize: ExpectSize) {
  return {
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
  }
}

/** What was begun, and is not whole yet. */
function begun(client: S3Client) {
  return {
    /** Every object in parts that is not whole yet. */
    async *unfinished(prefix: string): AsyncGenerator<{ key: string; uploadId: string; begunAt: Date }> {
      const markers = { NextKeyMarker: 'key-marker', NextUploadIdMarker: 'upload-id-marker' }
      for await (const page of pagesOf(client, { uploads: '', prefix }, markers))
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
