import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { createUploadStates } from '../../db/blob-uploads.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { newId } from '../../lib/secrets.ts'
import type { BlobStore } from '../blob-store.ts'
import { collect, createSource } from '../suites/samples.ts'
import { openS3Client } from './client/s3-client.ts'
import type { S3Settings } from './client/signer.ts'
import { createS3Objects } from './objects.ts'
import { openS3Blobs } from './s3-store.ts'

export const maxSize = 1e9
export const put = (store: BlobStore, bytes: Buffer, id = newId()) => store.put(id, createSource(bytes), { maxSize })

/** Creates the settings for a new bucket. */
export const createSettings = (env: Record<string, string>): S3Settings => ({
  endpoint: env['S3_ENDPOINT'] ?? '',
  bucket: `neptune-${newId().replaceAll(/[_-]/g, '').toLowerCase()}`,
  region: env['S3_REGION'] ?? '',
  accessKeyId: env['S3_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: env['S3_SECRET_ACCESS_KEY'] ?? '',
})

/** Creates a database and a folder for a test file, and opens stores with them. */
export function useS3() {
  const state = { folder: '', db: undefined as unknown as Db }
  beforeAll(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'neptune-s3-'))
    state.db = await openDatabase(`sqlite:${join(state.folder, 'neptune.db')}`)
    await migrate(state.db)
  })
  afterAll(async () => {
    await state.db.destroy()
    await rm(state.folder, { recursive: true, force: true })
  })

  const spoolDir = () => join(state.folder, 'spool')
  const open = (settings: S3Settings) => openS3Blobs(settings, { states: createUploadStates(state.db), spoolDir: spoolDir() })

  /** Opens a store with a new bucket, and deletes the rows of earlier tests. */
  async function openNew(env = inject('s3')) {
    const settings = createSettings(env)
    await state.db.deleteFrom('blob_upload').execute()
    const reopen = () => open(settings)
    const store = await reopen()
    const objects = createS3Objects(openS3Client(settings))
    const keys = async () => (await collect(objects.list(''))).map(({ key }) => key)
    return { settings, store, reopen, objects, keys }
  }

  return { db: () => state.db, spoolDir, open, openNew }
}
