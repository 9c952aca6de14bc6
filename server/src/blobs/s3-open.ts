import { bodyOf, Refusal, type S3Client, type S3Settings } from './s3-client.ts'

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
