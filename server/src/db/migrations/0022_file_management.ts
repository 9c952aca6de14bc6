import type { Kysely } from 'kysely'
import * as folders from './file-management/folders.ts'
import * as linkFiles from './file-management/link-files.ts'
import * as nameOrder from './file-management/name-order.ts'
import * as previews from './file-management/previews.ts'
import * as searchIndexes from './file-management/search-indexes.ts'
import * as versions from './file-management/versions.ts'

const steps = [folders, versions, nameOrder, searchIndexes, previews, linkFiles]

/** Adds folders, versions, natural order, indexes for searches, PDFs that preview documents, and links to several files. */
export async function up(db: Kysely<unknown>) {
  for (const step of steps) await step.up(db)
}

export async function down(db: Kysely<unknown>) {
  for (const step of steps.toReversed()) await step.down(db)
}
