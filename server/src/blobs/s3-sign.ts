import { AwsV4Signer } from 'aws4fetch'

export interface S3Settings {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Where others reach the store, if it is another place than where we do. */
  publicEndpoint?: string | undefined
}

type Texts = Record<string, string>

interface ToSign {
  method: string
  /** Of an object; without it the bucket is meant. */
  key?: string | undefined
  query?: Texts | undefined
  headers: Texts
}

export type S3Signer = ReturnType<typeof s3Signer>

/** Where objects are, and that it is we who ask for them. */
export function s3Signer({ endpoint, publicEndpoint = endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings) {
  const signing = { service: 's3', region, accessKeyId, secretAccessKey, cache: new Map<string, ArrayBuffer>() }

  function addressOf(key: string | undefined, query: Texts = {}, at = endpoint) {
    const url = new URL(at)
    url.pathname = [bucket, ...(key?.split('/') ?? [])].map(encodeURIComponent).join('/')
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  }

  return {
    /** Address and headers of a request of our own. */
    sign: ({ method, key, query, headers }: ToSign) =>
      new AwsV4Signer({ ...signing, method, url: addressOf(key, query), headers }).sign(),

    /** Where an object is, as stores name it to each other. */
    placeOf: (key: string) => new URL(addressOf(key)).pathname,

    /** An address by which anybody may do this one thing for a while, with these headers. */
    async link(method: 'GET' | 'PUT', key: string, query: Texts, seconds: number, headers = {}): Promise<string> {
      const url = addressOf(key, { ...query, 'X-Amz-Expires': String(seconds) }, publicEndpoint)
      const signed = await new AwsV4Signer({ ...signing, method, url, headers, signQuery: true, allHeaders: true }).sign()
      return signed.url.href.replaceAll('+', '%20') // not every store takes a plus for a space
    },
  }
}
