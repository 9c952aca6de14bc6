import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { selectSubtree } from '../../db/queries/tree.ts'

/** Counts the files in a folder and everything below it, with those in the trash, and their bytes: what its company stores for it. */
export async function sumStored(db: Db, folder: string): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`select count(*) as files, coalesce(sum(size), 0) as bytes
    from file where directory_id in ${selectSubtree(folder)}`.execute(db)
  return { files: Number(rows[0]?.files ?? 0), bytes: Number(rows[0]?.bytes ?? 0) }
}

/** Gives a folder and everything below it to another company, with the links. Returns how many links these are. */
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

/** Gives the links to a file to another company, after the file. Returns how many links these are. */
export async function setCompanyOfLinks(db: Db, file: string, company_id: string): Promise<number> {
  const links = await db.selectFrom('link').select('key').where('file_id', '=', file).execute()
  await setCompanyOfNews(
    db,
    links.map(({ key }) => key),
    company_id,
  )
  return links.length
}

/** The news about a link has the name of its target, which only those who may see the new company may read. */
async function setCompanyOfNews(db: Db, links: string[], company_id: string): Promise<void> {
  for (let i = 0; i < links.length; i += 500)
    await db
      .updateTable('news')
      .set({ company_id })
      .where('link_key', 'in', links.slice(i, i + 500))
      .execute()
}
