import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { selectSubtree } from '../../db/queries/tree.ts'

/**
 * Counts the files in a folder and all folders below, including the trash, and sums the bytes of all their versions: what their company
 * stores for them.
 */
export const sumStoredIn = (db: Db, folder: string) => sumStored(db, sql`file.directory_id in ${selectSubtree(folder)}`)

/** Counts one file, and sums the bytes of all its versions. */
export const sumStoredOf = (db: Db, file: string) => sumStored(db, sql`file.id = ${file}`)

async function sumStored(db: Db, isMoved: RawBuilder<unknown>): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{
    files: number
    bytes: number
    versions: number
  }>`select count(*) as files, coalesce(sum(size), 0) as bytes,
      (select coalesce(sum(file_version.size), 0) from file join file_version on file_version.file_id = file.id where ${isMoved}) as versions
    from file where ${isMoved}`.execute(db)
  const [row] = rows
  return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) + Number(row?.versions ?? 0) }
}

/** Assigns a folder, everything below it and all links to them to another company. Returns the number of links. */
export async function setCompanyOfTree(db: Db, folder: string, company_id: string): Promise<number> {
  await sql`update file set company_id = ${company_id} where directory_id in ${selectSubtree(folder)}`.execute(db)
  const links = await sql<{
    key: string
  }>`update link set company_id = ${company_id} where directory_id in ${selectSubtree(folder)}
    returning key`.execute(db)
  await sql`update directory set company_id = ${company_id} where id in ${selectSubtree(folder)}`.execute(db)
  await setCompanyOfNews(
    db,
    links.rows.map(({ key }) => key),
    company_id,
  )
  return links.rows.length
}

/**
 * Assigns the news about a file's links to another company. Call it after `placeFile`, which assigns the file and the links. Returns the
 * number of links.
 */
export async function setCompanyOfFileNews(db: Db, file: string, company_id: string): Promise<number> {
  const links = await db.selectFrom('link').select('key').where('file_id', '=', file).execute()
  await setCompanyOfNews(
    db,
    links.map(({ key }) => key),
    company_id,
  )
  return links.length
}

/**
 * Assigns the news about links to another company. The news contains the names of the links' targets, which from now on only people with
 * access to that company may read.
 */
async function setCompanyOfNews(db: Db, links: string[], company_id: string): Promise<void> {
  for (let i = 0; i < links.length; i += 500)
    await db
      .updateTable('news')
      .set({ company_id })
      .where('link_key', 'in', links.slice(i, i + 500))
      .execute()
}
