import type { Db } from './database.ts'

interface StateRow {
  size: number
  state: string
}

/** Creates the store of upload states, which all nodes share. Implements `UploadStates` in blobs/s3/uploads.ts. */
export const createUploadStates = (db: Db) => ({
  async create(id: string, { size, state }: StateRow) {
    await db.insertInto('blob_upload').values({ id, version: 1, size, state, changed_at: new Date().toISOString() }).execute()
  },

  async find(id: string) {
    const row = await db.selectFrom('blob_upload').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { ...row, changedAt: new Date(row.changed_at) }
  },

  /** Saves the state if the version is still current. Returns false if another process saved it first. */
  async save(id: string, version: number, { size, state }: StateRow) {
    const { numUpdatedRows } = await db
      .updateTable('blob_upload')
      .set({ version: version + 1, size, state, changed_at: new Date().toISOString() })
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  },

  async remove(id: string) {
    await db.deleteFrom('blob_upload').where('id', '=', id).execute()
  },

  async list(after: string, count: number) {
    const rows = await db.selectFrom('blob_upload').select('id').where('id', '>', after).orderBy('id').limit(count).execute()
    return rows.map(({ id }) => id)
  },
})
