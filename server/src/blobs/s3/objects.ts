import { createMultipartCalls } from './client/multipart.ts'
import type { RetryLimits, S3Client } from './client/s3-client.ts'
import type { Body } from './client/transport.ts'
import { findElements, listPages, readElementText } from './client/xml.ts'

export type S3Objects = ReturnType<typeof createS3Objects>

/** Creates the S3 calls that the store needs. */
export function createS3Objects(client: S3Client) {
  /** Not every store supports `If-None-Match`. */
  let supportsConditions = true

  async function head(key: string): Promise<{ size: number; changedAt: Date } | undefined> {
    const { status, headers } = await client.request({ method: 'HEAD', key }, [200, 404])
    if (status === 404) return undefined
    return { size: Number(headers['content-length']), changedAt: new Date(headers['last-modified'] ?? 0) }
  }

  /**
   * Verifies that an object has this size, whatever the response to the call that wrote it. If not, throws `failure` or, without one, an error
   * that states both sizes.
   */
  async function expectSize(key: string, size: number, failure: unknown) {
    const object = await head(key)
    if (object?.size === size) return
    throw failure ?? new Error(`The store accepted ${key}, but has ${object?.size ?? 0} of ${size} bytes`)
  }

  return {
    ...createMultipartCalls(client, expectSize),
    head,

    /**
     * Writes an object in one request. Doesn't overwrite an existing one if the store supports `If-None-Match`. With other stores, it is
     * safe because keys are never used twice.
     */
    async put(key: string, body: Body): Promise<void> {
      const send = () =>
        client.request(
          { method: 'PUT', key, body, headers: supportsConditions ? { 'if-none-match': '*' } : {} },
          [200, 409, 412, 501],
        )
      let { status } = await send()
      if (status === 501) {
        supportsConditions = false
        status = (await send()).status
      }
      // An object that already exists may be ours: an earlier attempt may have succeeded although its response was lost.
      await expectSize(key, body.size, status === 200 ? undefined : new Error(`Object ${key} already exists (${status})`))
    },

    async remove(key: string, limits?: RetryLimits): Promise<void> {
      await client.request({ method: 'DELETE', key }, [200, 204, 404], limits)
    },

    async *list(prefix: string): AsyncGenerator<{ key: string; changedAt: Date }> {
      const query = { 'list-type': '2', prefix }
      for await (const page of listPages(client, query, { NextContinuationToken: 'continuation-token' }))
        for (const entry of findElements(page, 'Contents'))
          yield { key: readElementText(entry, 'Key'), changedAt: new Date(readElementText(entry, 'LastModified')) }
    },
  }
}
