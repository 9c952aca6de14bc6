import { randomBytes } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { expect } from 'vitest'
import { startFaultyS3 } from '../support/services/faulty-s3.ts'
import type { S3Environment, S3Server } from '../support/services/start-s3.ts'
import { expectNoViolations, findCounterViolations, type UploadHistory } from './history.ts'
import { openFaultServer } from './test-server.ts'

/** Opens a server with its files in its own bucket, behind a proxy that injects faults. */
export async function openS3TestServer(s3: S3Server) {
  const faulty = await startFaultyS3(s3.settings.S3_ENDPOINT)
  const settings = { ...s3.settings, S3_BUCKET: `faults-${randomBytes(8).toString('hex')}` }
  const server = await openFaultServer({ ...settings, S3_ENDPOINT: faulty.endpoint })
  const bucket = openBucket(settings)

  return {
    server,
    faulty,
    bucket,
    /** Expects every acknowledged file once and identical, and nothing else in the bucket. */
    async expectConsistent(history: UploadHistory) {
      expectNoViolations(history.findViolations(await server.findFiles()))
      expectNoViolations(findCounterViolations(server.readAccounts()))
      const files = (await server.listRows('')).map(({ id }) => `blobs/${id}`)
      expect((await bucket.listKeys()).toSorted()).toEqual(files.toSorted())
      expect(await bucket.countUnfinished(), 'unfinished multipart uploads').toBe(0)
      expect(server.query('select id from blob_upload')).toEqual([])
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await faulty[Symbol.asyncDispose]()
    },
  }
}

/** Reads the contents of a bucket directly from the store. */
function openBucket(settings: S3Environment & { S3_BUCKET: string }) {
  const client = new AwsClient({
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    region: settings.S3_REGION,
    service: 's3',
  })
  const bucketUrl = `${settings.S3_ENDPOINT}/${settings.S3_BUCKET}`
  const readElements = async (query: string, name: string) => {
    const page = await (await client.fetch(`${bucketUrl}?${query}`)).text()
    return [...page.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'g'))].map(([, text = '']) => text)
  }
  return {
    /** Lists the keys of all objects except the one that identifies the bucket. */
    listKeys: async () => (await readElements('list-type=2', 'Key')).filter((key) => key !== 'neptune.id'),
    countUnfinished: async () => (await readElements('uploads', 'UploadId')).length,
  }
}
