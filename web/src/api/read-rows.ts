interface Page {
  data: unknown[]
  next: string | null
}

/** The maximum number of pages read at once. After that the user decides whether to continue. */
const maxPages = 50

/**
 * Reads a page of a list. When the server searches a large list, a page can be short or empty although there are more rows.
 * Then this reads further pages until there are `minRows` rows.
 */
export async function readRows<P extends Page>(
  read: (cursor: string | undefined) => Promise<P>,
  cursor?: string,
  minRows = 1,
): Promise<P> {
  let page = await read(cursor)
  const data = [...page.data]
  for (let pages = 1; page.next !== null && data.length < minRows && pages < maxPages; pages++) {
    page = await read(page.next)
    data.push(...page.data)
  }
  return { ...page, data }
}
