import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'

interface StoredObject {
  bytes: Buffer
  etag: string
  at: Date
}

interface MultipartUpload {
  key: string
  at: Date
  parts: Map<number, StoredObject>
}

interface Bucket {
  objects: Map<string, StoredObject>
  uploads: Map<string, MultipartUpload>
}

interface S3Call {
  method: string
  url: URL
  headers: Record<string, string>
  bucket: string
  key: string
  body: Buffer
}

type Reply = [status: number, body?: string | Buffer, headers?: Record<string, string>]

const credentials = { accessKeyId: 'small', secretAccessKey: 'a small secret' }

/**
 * Starts an in-memory object store with the part of S3 that Neptune uses: for machines on which no real store can be installed, and for
 * tests of conditional writes, which Swift does not support. Rejects requests with a wrong signature.
 */
export async function startSmallS3() {
  const buckets = new Map<string, Bucket>()
  const server = createServer((request, response) => {
    respond(buckets, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      S3_REGION: 'eu-small-1',
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function respond(buckets: Map<string, Bucket>, request: IncomingMessage, response: ServerResponse) {
  // Like the Swift setup: a presigned URL works from any origin.
  response.setHeader('access-control-allow-origin', '*')
  if (request.method === 'OPTIONS') {
    response.writeHead(200, { 'access-control-allow-methods': 'GET, PUT', 'access-control-allow-headers': '*' }).end()
    return
  }
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const [bucket = '', ...path] = url.pathname.slice(1).split('/').map(decodeURIComponent)
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const call = { method: request.method ?? '', url, headers, bucket, key: path.join('/'), body: await buffer(request) }
  const [status, body = '', more = {}] = (await checkSignature(call)) ?? handle(buckets, call)
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...more })
  response.end(call.method === 'HEAD' ? undefined : body)
}

async function checkSignature({ method, url, headers, body }: S3Call): Promise<Reply | undefined> {
  const signature = url.searchParams.get('X-Amz-Signature')
  const [, region = '', inHeader = ''] =
    /\/(.+?)\/s3\/aws4_request, SignedHeaders=(.*?),/.exec(headers['authorization'] ?? '') ?? []
  const names = url.searchParams.get('X-Amz-SignedHeaders') ?? inHeader
  const unsignedUrl = new URL(url)
  for (const name of ['Signature', 'Date', 'Algorithm', 'Credential', 'SignedHeaders'])
    unsignedUrl.searchParams.delete(`X-Amz-${name}`)
  const signer = new AwsV4Signer({
    ...credentials,
    service: 's3',
    region: region.split('/').at(-1) || (url.searchParams.get('X-Amz-Credential')?.split('/')[2] ?? ''),
    method,
    url: unsignedUrl.href,
    headers: Object.fromEntries(names.split(';').flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
    datetime: headers['x-amz-date'] ?? url.searchParams.get('X-Amz-Date') ?? '',
    signQuery: signature !== null,
    allHeaders: true,
  })
  const isSigned =
    signature === null ? headers['authorization'] === (await signer.authHeader()) : signature === (await signer.signature())
  if (!isSigned) return makeError(403, 'SignatureDoesNotMatch')
  const sha256 = headers['x-amz-content-sha256']
  const isIntact = !sha256 || sha256 === createHash('sha256').update(body).digest('hex')
  return isIntact ? undefined : makeError(400, 'XAmzContentSHA256Mismatch')
}

function handle(buckets: Map<string, Bucket>, call: S3Call): Reply {
  if (!/^[a-z0-9][a-z0-9.-]{2,62}$/.test(call.bucket)) return makeError(400, 'InvalidBucketName')
  const bucket = buckets.get(call.bucket)
  if (!bucket && call.method === 'PUT' && call.key === '') {
    buckets.set(call.bucket, { objects: new Map(), uploads: new Map() })
    return [200]
  }
  if (!bucket) return makeError(404, 'NoSuchBucket')
  if (call.key === '') return call.url.searchParams.has('uploads') ? listUploads(bucket, call) : listObjects(bucket, call)
  const uploadId = call.url.searchParams.get('uploadId')
  if (uploadId !== null) return handleUpload(bucket, call, uploadId)
  if (call.method === 'POST') return createUpload(bucket, call)
  return handleObject(bucket, call)
}

function handleObject({ objects }: Bucket, { method, url, headers, key, body }: S3Call): Reply {
  if (method === 'PUT') {
    if (headers['if-none-match'] === '*' && objects.has(key)) return makeError(412, 'PreconditionFailed')
    const stored = makeStoredObject(body)
    objects.set(key, stored)
    return [200, '', { etag: stored.etag }]
  }
  if (method === 'DELETE') {
    objects.delete(key)
    return [204]
  }
  const object = objects.get(key)
  if (!object) return makeError(404, 'NoSuchKey')
  const metadata = {
    etag: object.etag,
    'last-modified': object.at.toUTCString(),
    ...('response-content-type' in Object.fromEntries(url.searchParams) && {
      'content-type': url.searchParams.get('response-content-type') ?? '',
      'content-disposition': url.searchParams.get('response-content-disposition') ?? '',
    }),
  }
  const size = object.bytes.length
  if (method === 'HEAD') return [200, '', { ...metadata, 'content-length': String(size) }]
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers['range'] ?? '') ?? []
  if (first === undefined) return [200, object.bytes, metadata]
  return [
    206,
    object.bytes.subarray(Number(first), Number(last) + 1),
    { ...metadata, 'content-range': `bytes ${first}-${last}/${size}` },
  ]
}

function createUpload({ uploads }: Bucket, { key }: S3Call): Reply {
  const id = randomBytes(8).toString('hex')
  uploads.set(id, { key, at: new Date(), parts: new Map() })
  return [200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`]
}

function handleUpload({ objects, uploads }: Bucket, { method, url, headers, bucket, key, body }: S3Call, id: string): Reply {
  const upload = uploads.get(id)
  if (!upload || upload.key !== key) return makeError(404, 'NoSuchUpload')
  const from = headers['x-amz-copy-source']
  if (method === 'PUT' && from !== undefined) {
    const source = objects.get(decodeURIComponent(from).slice(`/${bucket}/`.length))
    if (!source) return makeError(404, 'NoSuchKey')
    upload.parts.set(Number(url.searchParams.get('partNumber')), source)
    return [200, `<CopyPartResult><ETag>${source.etag}</ETag></CopyPartResult>`]
  }
  if (method === 'PUT') {
    const part = makeStoredObject(body)
    upload.parts.set(Number(url.searchParams.get('partNumber')), part)
    return [200, '', { etag: part.etag }]
  }
  if (method === 'GET') {
    const marker = Number(url.searchParams.get('part-number-marker') ?? 0)
    const parts = [...upload.parts]
      .filter(([n]) => n > marker)
      .toSorted(([a], [b]) => a - b)
      .map(
        ([n, { at, etag, bytes }]) =>
          `<Part><PartNumber>${n}</PartNumber><ETag>${etag}</ETag><Size>${bytes.length}</Size>${formatLastModified(at)}</Part>`,
      )
    return [200, `<ListPartsResult><IsTruncated>false</IsTruncated>${parts.join('')}</ListPartsResult>`]
  }
  if (method === 'DELETE') {
    uploads.delete(id)
    return [204]
  }
  const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)]
  const parts = listed.map(([, number, etag]) => {
    const part = upload.parts.get(Number(number))
    return part?.etag === etag?.replaceAll('&#34;', '"') ? part : undefined
  })
  const isComplete = parts.every((part, i) => part && (part.bytes.length >= 5 * 2 ** 20 || i === parts.length - 1))
  // Like S3, responds with status 200 even if joining the parts fails. Only the body reports the error.
  if (!isComplete) return [200, '<?xml version="1.0"?>\n<Error><Code>InvalidPart</Code></Error>']
  objects.set(key, makeStoredObject(Buffer.concat(parts.flatMap((part) => part?.bytes ?? []))))
  uploads.delete(id)
  return [200, '<CompleteMultipartUploadResult/>']
}

function listObjects({ objects }: Bucket, { url }: S3Call): Reply {
  const [page, next] = paginate([...objects.keys()], url, 'continuation-token')
  const contents = page.map(
    (key) => `<Contents><Key>${escapeXml(key)}</Key>${formatLastModified(objects.get(key)?.at)}</Contents>`,
  )
  return [200, `<ListBucketResult>${formatTruncation(next, 'NextContinuationToken')}${contents.join('')}</ListBucketResult>`]
}

function listUploads({ uploads }: Bucket, { url }: S3Call): Reply {
  const prefix = url.searchParams.get('prefix') ?? ''
  const matching = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
  const entries = matching.map(
    ([id, { key, at }]) =>
      `<Upload><Key>${escapeXml(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  )
  return [200, `<ListMultipartUploadsResult>${formatTruncation()}${entries.join('')}</ListMultipartUploadsResult>`]
}

/** Returns short pages, so that clients have to request further ones. */
function paginate(keys: string[], url: URL, token: string): [string[], string | undefined] {
  const marker = url.searchParams.get(token) ?? ''
  const prefix = url.searchParams.get('prefix') ?? ''
  const remaining = keys.filter((key) => key.startsWith(prefix) && key > marker).toSorted()
  const page = remaining.slice(0, 3)
  return [page, page.length < remaining.length ? page.at(-1) : undefined]
}

const formatTruncation = (next?: string, name = '') =>
  `<IsTruncated>${next !== undefined}</IsTruncated>${next === undefined ? '' : `<${name}>${escapeXml(next)}</${name}>`}`
const formatLastModified = (at = new Date(0)) => `<LastModified>${at.toISOString()}</LastModified>`
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const makeError = (status: number, code: string): Reply => [status, `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`]
const makeStoredObject = (bytes: Buffer): StoredObject => ({
  bytes,
  etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
  at: new Date(),
})
