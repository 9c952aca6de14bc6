/** Reads up to `limit` rows of these folders. For a single folder, reads them in the order of names, after the name key `after`. */
export type ReadChildren<Row> = (folders: string[], after: string | undefined, limit: number) => Promise<Row[]>

interface PageOptions {
  /** Runs a query when it is the caller's turn. */
  inTurn: <T>(query: () => Promise<T>) => Promise<T>
  pageSize: number
}

/**
 * Reads the rows of folders, in the order of the folders and by name. Reads many folders at once while they have few rows, and a folder
 * with many rows in pages.
 */
export async function* readRowsByFolder<Folder extends { id: string }, Row extends { parent: string | null; name_key: string }>(
  folders: Folder[],
  read: ReadChildren<Row>,
  { inTurn, pageSize }: PageOptions,
): AsyncGenerator<{ folder: Folder; rows: Row[]; isFirst: boolean }[]> {
  for (let i = 0, size = folders.length; i < folders.length; ) {
    const chunk = folders.slice(i, i + size)
    const [folder] = chunk
    if (!folder) return
    let rowCount = 0
    if (chunk.length === 1) {
      for (let after: string | undefined, isFirst = true; ; isFirst = false) {
        const rows = await inTurn(() => read([folder.id], after, pageSize))
        yield [{ folder, rows, isFirst }]
        rowCount += rows.length
        after = rows.at(-1)?.name_key
        if (rows.length < pageSize) break
      }
    } else {
      const ids = chunk.map(({ id }) => id)
      const rows = await inTurn(() => read(ids, undefined, pageSize + 1))
      if (rows.length > pageSize) {
        size = Math.ceil(chunk.length / 2)
        continue
      }
      rowCount = rows.length
      const byParent = Map.groupBy(rows, ({ parent }) => parent)
      const sort = (found: Row[] = []) => found.toSorted((a, b) => (a.name_key < b.name_key ? -1 : 1))
      yield chunk.map((folder) => ({ folder, rows: sort(byParent.get(folder.id)), isFirst: true }))
    }
    i += chunk.length
    if (rowCount <= pageSize / 2) size = chunk.length * 2
  }
}
