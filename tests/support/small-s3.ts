import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'

interface Stored {
  bytes: Buffer
  etag: string
  at: Date
}

interface Unfinished {
  key: string
  at: Date
  parts: Map<number, Stored>
}

interface Bucket {
  objects: Map<string, Stored>
  uploads: Map<string, Unfinished>
}

interface Asked {
  method: string
  url: URL
  headers: Record<string, string>
  bucket: string
  key: string
  body: Buffer
}

type Reply = [status: number, body?: string | Buffer, headers?: Record<string, string>]

const keys = { accessKeyId: 'small', secretAccessKey: 'a small secret' }

/**
 * As much of S3 as Neptune asks for, in memory: for machines on which no real store can be had, and because it can what Swift cannot:
 * refuse to overwrite. Whoever signs wrongly is refused, as anywhere.
 */
export async function startSmallS3() {
  const buckets = new Map<string, Bucket>()
  const server = createServer((request, response) => {
    answer(buckets, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      S3_REGION: 'eu-small-1',
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(buckets: Map<string, Bucket>, request: IncomingMessage, response: ServerResponse) {
  // As Swift is set up: whoever has a signed address may use it from any page.
  response.setHeader('access-control-allow-origin', '*')
  if (request.method === 'OPTIONS') {
    response.writeHead(200, { 'access-control-allow-methods': 'GET, PUT', 'access-control-allow-headers': '*' }).end()
    return
  }
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const [bucket = '', ...path] = url.pathname.slice(1).split('/').map(decodeURIComponent)
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const asked = { method: request.method ?? '', url, headers, bucket, key: path.join('/'), body: await buffer(request) }
  const [status, body = '', more = {}] = (await problemOf(asked)) ?? replyTo(buckets, asked)
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...more })
  response.end(asked.method === 'HEAD' ? undefined : body)
}

async function problemOf({ method, url, headers, body }: Asked): Promise<Reply | undefined> {
  const signature = url.searchParams.get('X-Amz-Signature')
  const [, region = '', inHeader = ''] =
    /\/(.+?)\/s3\/aws4_request, SignedHeaders=(.*?),/.exec(headers['authorization'] ?? '') ?? []
  const names = url.searchParams.get('X-Amz-SignedHeaders') ?? inHeader
  const bare = new URL(url)
  for (const name of ['Signature', 'Date', 'Algorithm', 'Credential', 'SignedHeaders']) bare.searchParams.delete(`X-Amz-${name}`)
  const signer = new AwsV4Signer({
    ...keys,
    service: 's3',
    region: region.split('/').at(-1) || (url.searchParams.get('X-Amz-Credential')?.split('/')[2] ?? ''),
    method,
    url: bare.href,
    headers: Object.fromEntries(names.split(';').flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
    datetime: headers['x-amz-date'] ?? url.searchParams.get('X-Amz-Date') ?? '',
    signQuery: signature !== null,
    allHeaders: true,
  })
  const isRight =
    signature === null ? headers['authorization'] === (await signer.authHeader()) : signature === (await signer.signature())
  if (!isRight) return problem(403, 'SignatureDoesNotMatch')
  const sha256 = headers['x-amz-content-sha256']
  const isIntact = !sha256 || sha256 === createHash('sha256').update(body).digest('hex')
  return isIntact ? undefined : problem(400, 'XAmzContentSHA256Mismatch')
}

function replyTo(buckets: Map<string, Bucket>, asked: Asked): Reply {
  if (!/^[a-z0-9][a-z0-9.-]{2,62}$/.test(asked.bucket)) return problem(400, 'InvalidBucketName')
  const bucket = buckets.get(asked.bucket)
  if (!bucket && asked.method === 'PUT' && asked.key === '') {
    buckets.set(asked.bucket, { objects: new Map(), uploads: new Map() })
    return [200]
  }
  if (!bucket) return problem(404, 'NoSuchBucket')
  if (asked.key === '') return asked.url.searchParams.has('uploads') ? listUploads(bucket, asked) : listObjects(bucket, asked)
  const uploadId = asked.url.searchParams.get('uploadId')
  if (uploadId !== null) return replyAboutUpload(bucket, asked, uploadId)
  if (asked.method === 'POST') return beginUpload(bucket, asked)
  return replyAboutObject(bucket, asked)
}

function replyAboutObject({ objects }: Bucket, { method, url, headers, key, body }: Asked): Reply {
  if (method === 'PUT') {
    if (headers['if-none-match'] === '*' && objects.has(key)) return problem(412, 'PreconditionFailed')
    const stored = store(body)
    objects.set(key, stored)
    return [200, '', { etag: stored.etag }]
  }
  if (method === 'DELETE') {
    objects.delete(key)
    return [204]
  }
  const object = objects.get(key)
  if (!object) return problem(404, 'NoSuchKey')
  const about = {
    etag: object.etag,
    'last-modified': object.at.toUTCString(),
    ...('response-content-type' in Object.fromEntries(url.searchParams) && {
      'content-type': url.searchParams.get('response-content-type') ?? '',
      'content-disposition': url.searchParams.get('response-content-disposition') ?? '',
    }),
  }
  const size = object.bytes.length
  if (method === 'HEAD') return [200, '', { ...about, 'content-length': String(size) }]
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers['range'] ?? '') ?? []
  if (first === undefined) return [200, object.bytes, about]
  return [
    206,
    object.bytes.subarray(Number(first), Number(last) + 1),
    { ...about, 'content-range': `bytes ${first}-${last}/${size}` },
  ]
}

function beginUpload({ uploads }: Bucket, { key }: Asked): Reply {
  const id = randomBytes(8).toString('hex')
  uploads.set(id, { key, at: new Date(), parts: new Map() })
  return [200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`]
}

function replyAboutUpload({ objects, uploads }: Bucket, { method, url, headers, bucket, key, body }: Asked, id: string): Reply {
  const upload = uploads.get(id)
  if (!upload || upload.key !== key) return problem(404, 'NoSuchUpload')
  const from = headers['x-amz-copy-source']
  if (method === 'PUT' && from !== undefined) {
    const source = objects.get(decodeURIComponent(from).slice(`/${bucket}/`.length))
    if (!source) return problem(404, 'NoSuchKey')
    upload.parts.set(Number(url.searchParams.get('partNumber')), source)
    return [200, `<CopyPartResult><ETag>${source.etag}</ETag></CopyPartResult>`]
  }
  if (method === 'PUT') {
    const part = store(body)
    upload.parts.set(Number(url.searchParams.get('partNumber')), part)
    return [200, '', { etag: part.etag }]
  }
  if (method === 'GET') {
    const after = Number(url.searchParams.get('part-number-marker') ?? 0)
    const parts = [...upload.parts]
      .filter(([n]) => n > after)
      .toSorted(([a], [b]) => a - b)
      .map(
        ([n, { at, etag, bytes }]) =>
          `<Part><PartNumber>${n}</PartNumber><ETag>${etag}</ETag><Size>${bytes.length}</Size>${modified(at)}</Part>`,
      )
    return [200, `<ListPartsResult><IsTruncated>false</IsTruncated>${parts.join('')}</ListPartsResult>`]
  }
  if (method === 'DELETE') {
    uploads.delete(id)
    return [204]
  }
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)]
  const parts = named.map(([, number, etag]) => {
    const part = upload.parts.get(Number(number))
    return part?.etag === etag?.replaceAll('&#34;', '"') ? part : undefined
  })
  const isWhole = parts.every((part, i) => part && (part.bytes.length >= 5 * 2 ** 20 || i === parts.length - 1))
  // As S3 does when it learns late that something is wrong.
  if (!isWhole) return [200, '<?xml version="1.0"?>\n<Error><Code>InvalidPart</Code></Error>']
  objects.set(key, store(Buffer.concat(parts.flatMap((part) => part?.bytes ?? []))))
  uploads.delete(id)
  return [200, '<CompleteMultipartUploadResult/>']
}

function listObjects({ objects }: Bucket, { url }: Asked): Reply {
  const [page, next] = pageOf([...objects.keys()], url, 'continuation-token')
  const contents = page.map((key) => `<Contents><Key>${escaped(key)}</Key>${modified(objects.get(key)?.at)}</Contents>`)
  return [200, `<ListBucketResult>${truncated(next, 'NextContinuationToken')}${contents.join('')}</ListBucketResult>`]
}

function listUploads({ uploads }: Bucket, { url }: Asked): Reply {
  const prefix = url.searchParams.get('prefix') ?? ''
  const all = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
  const entries = all.map(
    ([id, { key, at }]) =>
      `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  )
  return [200, `<ListMultipartUploadsResult>${truncated()}${entries.join('')}</ListMultipartUploadsResult>`]
}

/** Short pages, so that the next ones are asked for. */
function pageOf(keys: string[], url: URL, token: string): [string[], string | undefined] {
  const after = url.searchParams.get(token) ?? ''
  const prefix = url.searchParams.get('prefix') ?? ''
  const left = keys.filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const page = left.slice(0, 3)
  return [page, page.length < left.length ? page.at(-1) : undefined]
}

const truncated = (next?: string, name = '') =>
  `<IsTruncated>${next !== undefined}</IsTruncated>${next === undefined ? '' : `<${name}>${escaped(next)}</${name}>`}`
const modified = (at = new Date(0)) => `<LastModified>${at.toISOString()}</LastModified>`
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const problem = (status: number, code: string): Reply => [status, `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`]
const store = (bytes: Buffer): Stored => ({ bytes, etag: `"${createHash('md5').update(bytes).digest('hex')}"`, at: new Date() })
