import { AwsV4Signer } from 'aws4fetch'

export interface S3Settings {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** The endpoint for clients, if it differs from the one the server uses. */
  publicEndpoint?: string | undefined
}

type StringMap = Record<string, string>

interface UnsignedRequest {
  method: string
  /** The key of an object. Without it, the request is for the bucket. */
  key?: string | undefined
  query?: StringMap | undefined
  headers: StringMap
}

export type S3Signer = ReturnType<typeof createS3Signer>

/** Creates a signer for requests to S3 (AWS Signature Version 4). */
export function createS3Signer({
  endpoint,
  publicEndpoint = endpoint,
  bucket,
  region,
  accessKeyId,
  secretAccessKey,
}: S3Settings) {
  const signerOptions = { service: 's3', region, accessKeyId, secretAccessKey, cache: new Map<string, ArrayBuffer>() }

  function buildUrl(key: string | undefined, query: StringMap = {}, base = endpoint) {
    const url = new URL(base)
    url.pathname = [bucket, ...(key?.split('/') ?? [])].map(encodeURIComponent).join('/')
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  }

  return {
    /** Returns the URL and the headers of a request that we send. */
    sign: ({ method, key, query, headers }: UnsignedRequest) =>
      new AwsV4Signer({ ...signerOptions, method, url: buildUrl(key, query), headers }).sign(),

    /** Returns the value of `x-amz-copy-source` for an object. */
    getCopySource: (key: string) => new URL(buildUrl(key)).pathname,

    /** Returns a presigned URL that allows one kind of request for one object, with these headers, for a limited time. */
    async presign(method: 'GET' | 'PUT', key: string, query: StringMap, seconds: number, headers = {}): Promise<string> {
      const url = buildUrl(key, { ...query, 'X-Amz-Expires': String(seconds) }, publicEndpoint)
      const signed = await new AwsV4Signer({ ...signerOptions, method, url, headers, signQuery: true, allHeaders: true }).sign()
      return signed.url.href.replaceAll('+', '%20') // not every store decodes a plus as a space
    },
  }
}
