import { bodyOf } from './s3-call.ts'
import { openS3Client, Refusal, type S3Client } from './s3-client.ts'
import { s3Objects } from './s3-objects.ts'
import type { S3Settings } from './s3-sign.ts'

/** Makes sure that there is a bucket for us. Otherwise fails with a sentence for the operator, that says where to look. */
export async function openBucket(client: S3Client, settings: S3Settings): Promise<void> {
  try {
    const look = (expected: number[]) => client.ask({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } }, expected)
    if ((await look([200, 404])).status === 200) return
    // Another node may be a moment faster.
    await client.ask({ method: 'PUT', body: bodyOf(placeOf(settings)) }, [200, 409])
    await look([200])
  } catch (error) {
    throw new Error(inWords(settings, error), { cause: error })
  }
}

/** Beside the blobs, in no listing of them. */
const idKey = 'neptune.id'

/** By what a bucket is known again, whatever its host is called. Fails with a sentence, like `openBucket`. */
export function bucketId(settings: S3Settings) {
  const client = openS3Client(settings)
  const inSentence = async <T>(work: Promise<T>) =>
    work.catch((error) => {
      throw new Error(inWords(settings, error), { cause: error })
    })
  return {
    makeBucket: () => openBucket(client, settings),

    /** Undefined where there is no such bucket. */
    async look(): Promise<{ id: string | undefined; hasBlobs: boolean } | undefined> {
      const query = { 'list-type': '2', 'max-keys': '1', prefix: 'blobs/' }
      const listed = await inSentence(client.ask({ method: 'GET', query }, [200, 404]))
      if (listed.status === 404) return undefined
      const { status, text } = await inSentence(client.ask({ method: 'GET', key: idKey }, [200, 404]))
      return { id: status === 200 ? text.trim() : undefined, hasBlobs: listed.text.includes('<Key>') }
    },

    /** Never over another one where the store can see to that: whoever wants to know looks again. */
    write: (id: string) => inSentence(s3Objects(client).put(idKey, bodyOf(`${id}\n`))),
  }
}

/** In its first region S3 wants nothing to be said. */
const placeOf = ({ region }: S3Settings) =>
  region === 'us-east-1'
    ? ''
    : `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`

function inWords({ endpoint, bucket }: S3Settings, error: unknown): string {
  const where = `The bucket ${bucket} at ${endpoint}`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Refusal))
    return `${where} cannot be reached: ${reasonOf(cause)}. Check that the store runs and that S3_ENDPOINT is right.`
  const said = `${cause.status}${cause.code && ` ${cause.code}`}`
  if (cause.status === 404 || cause.code.includes('Bucket'))
    return `${where} is missing and cannot be made (${said}). Make it, or correct S3_BUCKET.`
  if (cause.status === 403 || cause.status === 401)
    return `${where} refuses our key (${said}). Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the rights of that key.`
  if (cause.status < 400 || cause.code.includes('Region') || cause.code === 'AuthorizationHeaderMalformed')
    return `${where} is somewhere else (${said}). Check S3_REGION and S3_ENDPOINT.`
  return `${where} cannot be used: the store answers ${said}. Check the S3 settings.`
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
