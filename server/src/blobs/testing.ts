import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { blobUploads } from '../db/blob-uploads.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { newId } from '../lib/secrets.ts'
import type { BlobStore } from './blob-store.ts'
import { openS3Blobs } from './s3.ts'
import { openS3Client } from './s3-client.ts'
import { s3Objects } from './s3-objects.ts'
import type { S3Settings } from './s3-sign.ts'
import { listOf, sourceOf } from './samples.ts'

export const maxSize = 1e9
export const put = (store: BlobStore, bytes: Buffer, id = newId()) => store.put(id, sourceOf(bytes), { maxSize })

export const settingsOf = (given: Record<string, string>): S3Settings => ({
  endpoint: given['S3_ENDPOINT'] ?? '',
  bucket: `neptune-${newId().replaceAll(/[_-]/g, '').toLowerCase()}`,
  region: given['S3_REGION'] ?? '',
  accessKeyId: given['S3_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: given['S3_SECRET_ACCESS_KEY'] ?? '',
})

/** A database and a folder for a file of tests, to open stores with. */
export function useS3() {
  const here = { folder: '', db: undefined as unknown as Db }
  beforeAll(async () => {
    here.folder = await mkdtemp(join(tmpdir(), 'neptune-s3-'))
    here.db = await openDatabase(`sqlite:${join(here.folder, 'neptune.db')}`)
    await migrate(here.db)
  })
  afterAll(async () => {
    await here.db.destroy()
    await rm(here.folder, { recursive: true, force: true })
  })

  const spoolDir = () => join(here.folder, 'spool')
  const open = (settings: S3Settings) => openS3Blobs(settings, { states: blobUploads(here.db), spoolDir: spoolDir() })

  /** A bucket of its own, and no rows of others. */
  async function openNew(given = inject('s3')) {
    const settings = settingsOf(given)
    await here.db.deleteFrom('blob_upload').execute()
    const reopen = () => open(settings)
    const store = await reopen()
    const objects = s3Objects(openS3Client(settings))
    const keys = async () => (await listOf(objects.list(''))).map(({ key }) => key)
    return { settings, store, reopen, objects, keys }
  }

  return { db: () => here.db, spoolDir, open, openNew }
}
