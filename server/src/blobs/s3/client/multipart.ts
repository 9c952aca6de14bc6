import type { RetryLimits, S3Client } from './s3-client.ts'
import { type Body, createTextBody } from './transport.ts'
import { escapeXml, findElements, getNextPageQuery, listPages, readElementText } from './xml.ts'

export interface Part {
  number: number
  size: number
  etag: string
}

type ExpectSize = (key: string, size: number, failure: unknown) => Promise<void>

/** For calls that may take long, such as completing an upload of many parts. */
const longLimits: RetryLimits = { retryForMs: 31_000, idleTimeoutMs: 30_000 }

/** Creates the S3 calls for multipart uploads. */
export const createMultipartCalls = (client: S3Client, expectSize: ExpectSize) => ({
  ...createWriteCalls(client, expectSize),
  ...createListCalls(client),
})

function createWriteCalls(client: S3Client, expectSize: ExpectSize) {
  return {
    /** Starts a multipart upload. A retry may start a second one, which `listUnfinished` finds. */
    async begin(key: string): Promise<string> {
      const { text } = await client.request({ method: 'POST', key, query: { uploads: '' } }, [200])
      return readElementText(text, 'UploadId')
    },

    async putPart(key: string, uploadId: string, number: number, body: Body): Promise<Part> {
      const query = { partNumber: String(number), uploadId }
      const { headers } = await client.request({ method: 'PUT', key, query, body }, [200])
      return { number, size: body.size, etag: headers.etag ?? '' }
    },

    /** Copies another object into a part, within the store. Returns the part with the size that the store reports. */
    async copyPart(key: string, uploadId: string, number: number, from: string): Promise<Part | undefined> {
      const query = { partNumber: String(number), uploadId }
      const headers = { 'x-amz-copy-source': client.getCopySource(from) }
      const { text: copied } = await client.request({ method: 'PUT', key, query, headers }, [200], longLimits)
      const onePartQuery = { uploadId, 'max-parts': '1', 'part-number-marker': String(number - 1) }
      const { text } = await client.request({ method: 'GET', key, query: onePartQuery }, [200])
      const [entry = ''] = findElements(text, 'Part')
      if (Number(readElementText(entry, 'PartNumber')) !== number) return undefined
      const etag = readElementText(copied, 'ETag') // not from the list: Swift lists a copy without its ETag
      return { number, size: Number(readElementText(entry, 'Size')), etag }
    },

    /** Completes a multipart upload. Whatever the response, this succeeds only if the object then exists in full size. */
    async complete(key: string, uploadId: string, parts: Part[]): Promise<void> {
      const partElements = parts.map(
        ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
      )
      const body = createTextBody(`<CompleteMultipartUpload>${partElements.join('')}</CompleteMultipartUpload>`)
      const failure = await client.request({ method: 'POST', key, query: { uploadId }, body }, [200], longLimits).then(
        () => undefined,
        (error: unknown) => error,
      )
      const size = parts.reduce((sum, part) => sum + part.size, 0)
      await expectSize(key, size, failure)
    },
  }
}

function createListCalls(client: S3Client) {
  return {
    /** Lists the multipart uploads that are neither completed nor aborted. */
    async *listUnfinished(prefix: string): AsyncGenerator<{ key: string; uploadId: string; initiatedAt: Date }> {
      const markers = { NextKeyMarker: 'key-marker', NextUploadIdMarker: 'upload-id-marker' }
      for await (const page of listPages(client, { uploads: '', prefix }, markers))
        for (const entry of findElements(page, 'Upload'))
          yield {
            key: readElementText(entry, 'Key'),
            uploadId: readElementText(entry, 'UploadId'),
            initiatedAt: new Date(readElementText(entry, 'Initiated')),
          }
    },

    /** Returns when the last part was uploaded. */
    async findLastPartTime(key: string, uploadId: string): Promise<Date | undefined> {
      let last: Date | undefined
      for (let pageQuery: Record<string, string> | undefined = {}; pageQuery; ) {
        const { status, text }: { status: number; text: string } = await client.request(
          { method: 'GET', key, query: { uploadId, ...pageQuery } },
          [200, 404, 501],
        )
        if (status !== 200) return last
        for (const entry of findElements(text, 'Part')) {
          const at = new Date(readElementText(entry, 'LastModified'))
          if (!last || at > last) last = at
        }
        pageQuery = getNextPageQuery(text, { NextPartNumberMarker: 'part-number-marker' })
      }
      return last
    },

    async abort(key: string, uploadId: string, limits?: RetryLimits): Promise<void> {
      await client.request({ method: 'DELETE', key, query: { uploadId } }, [200, 204, 404], limits)
    },
  }
}
