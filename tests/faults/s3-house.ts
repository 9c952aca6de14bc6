import { randomBytes } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { expect } from 'vitest'
import { startFaultyS3 } from '../support/faulty-s3.ts'
import type { S3, S3Settings } from '../support/start-s3.ts'
import { counterViolations, expectNone, type SetHistory } from './history.ts'
import { openHouse } from './house.ts'

/** A house whose files are in a bucket of their own, and the store in front of it that misbehaves. */
export async function openS3House(s3: S3) {
  const faulty = await startFaultyS3(s3.settings.S3_ENDPOINT)
  const settings = { ...s3.settings, S3_BUCKET: `faults-${randomBytes(8).toString('hex')}` }
  const house = await openHouse({ ...settings, S3_ENDPOINT: faulty.endpoint })
  const bucket = bucketOf(settings)

  return {
    house,
    faulty,
    bucket,
    /** What was acknowledged is there, once and exact; and the bucket holds the files and nothing else. */
    async expectWhole(history: SetHistory) {
      expectNone(history.violations(await house.found()))
      expectNone(counterViolations(house.accounts()))
      const files = (await house.rows('')).map(({ id }) => `blobs/${id}`)
      expect((await bucket.keys()).toSorted()).toEqual(files.toSorted())
      expect(await bucket.unfinished(), 'objects in parts that are not whole').toBe(0)
      expect(house.query('select id from blob_upload')).toEqual([])
    },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]()
      await faulty[Symbol.asyncDispose]()
    },
  }
}

/** What is in a bucket, asked of the store itself. */
function bucketOf(settings: S3Settings & { S3_BUCKET: string }) {
  const client = new AwsClient({
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    region: settings.S3_REGION,
    service: 's3',
  })
  const address = `${settings.S3_ENDPOINT}/${settings.S3_BUCKET}`
  const elements = async (query: string, name: string) => {
    const page = await (await client.fetch(`${address}?${query}`)).text()
    return [...page.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'g'))].map(([, text = '']) => text)
  }
  return {
    /** But for the one by which the bucket is known. */
    keys: async () => (await elements('list-type=2', 'Key')).filter((key) => key !== 'neptune.id'),
    unfinished: async () => (await elements('uploads', 'UploadId')).length,
  }
}
