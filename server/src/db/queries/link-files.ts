import { type RawBuilder, sql } from 'kysely'

/** Whether a link shares several files. Contains no parameters, because SQLite uses the partial index on these links only for literals. */
export const sharesSeveral = sql<boolean>`(link.type = 'LINK_FILE' and link.file_id is null)`

/** Builds the condition that a file is one of the files of a link to several files. */
export const isSharedBy = (link: string): RawBuilder<boolean> =>
  sql<boolean>`file.id in (select link_file.file_id from link_file where link_file.link_key = ${link})`

/** Selects the keys of all links to a file: links to this file only, and links to several files. */
export const selectLinksToFile = (file: string | RawBuilder<string>): RawBuilder<string> =>
  sql<string>`(select to_file.key from link as to_file where to_file.file_id = ${file}
    union all select link_file.link_key from link_file where link_file.file_id = ${file})`

/** Selects the files that recipients of a link to several files see: those that are neither in the trash nor in another company now. */
export const selectSharedFiles = (condition: RawBuilder<unknown> = sql`1 = 1`): RawBuilder<unknown> =>
  sql`(select shared.id from link_file join file as shared on shared.id = link_file.file_id
    join directory as place on place.id = shared.directory_id
    where link_file.link_key = link.key and shared.deleted_at is null and place.deleted_at is null
      and shared.company_id = link.company_id and ${condition})`
