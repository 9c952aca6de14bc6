import type { Body } from './s3-call.ts'
import type { Patience, S3Client } from './s3-client.ts'
import { inParts } from './s3-multipart.ts'
import { elementsOf, pagesOf, textOf } from './s3-xml.ts'

export type S3Objects = ReturnType<typeof s3Objects>

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

  return {
    ...inParts(client, expectSize),
    head,

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
      for await (const page of pagesOf(client, query, { NextContinuationToken: 'continuation-token' }))
        for (const entry of elementsOf(page, 'Contents'))
          yield { key: textOf(entry, 'Key'), changedAt: new Date(textOf(entry, 'LastModified')) }
    },
  }
}
