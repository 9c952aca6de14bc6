import { openS3Client, type S3Client, S3Error } from './client/s3-client.ts'
import type { S3Settings } from './client/signer.ts'
import { createTextBody } from './client/transport.ts'
import { createS3Objects } from './objects.ts'

/** Creates the bucket if it doesn't exist. If it can't be used, throws an error that tells the operator what to check. */
export async function ensureBucket(client: S3Client, settings: S3Settings): Promise<void> {
  try {
    const list = (expected: number[]) => client.request({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } }, expected)
    if ((await list([200, 404])).status === 200) return
    // 409: another node may have created it meanwhile.
    await client.request({ method: 'PUT', body: createTextBody(buildLocationXml(settings)) }, [200, 409])
    await list([200])
  } catch (error) {
    throw new Error(describeError(settings, error), { cause: error })
  }
}

/** The key of the object with the bucket's id. Outside of `blobs/`, so that it is not listed with the blobs. */
const idKey = 'neptune.id'

/** Reads and writes the object that identifies a bucket, whatever its host name. Errors are like those of `ensureBucket`. */
export function openBucketId(settings: S3Settings) {
  const client = openS3Client(settings)
  const describeErrors = async <T>(work: Promise<T>) =>
    work.catch((error) => {
      throw new Error(describeError(settings, error), { cause: error })
    })
  return {
    ensureBucket: () => ensureBucket(client, settings),

    /** Returns undefined if the bucket doesn't exist. */
    async inspect(): Promise<{ id: string | undefined; hasBlobs: boolean } | undefined> {
      const query = { 'list-type': '2', 'max-keys': '1', prefix: 'blobs/' }
      const listed = await describeErrors(client.request({ method: 'GET', query }, [200, 404]))
      if (listed.status === 404) return undefined
      const { status, text } = await describeErrors(client.request({ method: 'GET', key: idKey }, [200, 404]))
      return { id: status === 200 ? text.trim() : undefined, hasBlobs: listed.text.includes('<Key>') }
    },

    /** Doesn't overwrite an id, if the store can prevent that. Call `inspect` afterwards to see which id won. */
    write: (id: string) => describeErrors(createS3Objects(client).put(idKey, createTextBody(`${id}\n`))),
  }
}

/** S3 rejects a location constraint for its default region, us-east-1. */
const buildLocationXml = ({ region }: S3Settings) =>
  region === 'us-east-1'
    ? ''
    : `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`

function describeError({ endpoint, bucket }: S3Settings, error: unknown): string {
  const where = `The bucket ${bucket} at ${endpoint}`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof S3Error))
    return `${where} can't be reached: ${describeReason(cause)}. Check that the store is running and that S3_ENDPOINT is correct.`
  const response = `${cause.status}${cause.code && ` ${cause.code}`}`
  if (cause.status === 404 || cause.code.includes('Bucket'))
    return `${where} doesn't exist and can't be created (${response}). Create it, or correct S3_BUCKET.`
  if (cause.status === 403 || cause.status === 401)
    return `${where} rejects the access key (${response}). Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the permissions of that key.`
  if (cause.status < 400 || cause.code.includes('Region') || cause.code === 'AuthorizationHeaderMalformed')
    return `${where} is in another region or at another endpoint (${response}). Check S3_REGION and S3_ENDPOINT.`
  return `${where} can't be used: the store responds with ${response}. Check the S3 settings.`
}

function describeReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeReason).join(', ')
  return error instanceof Error ? error.message : String(error)
}
