interface Page {
  data: unknown[]
  next: string | null
}

/** How many pages without a row are read automatically. After that the person decides whether to search further. */
const maxPages = 50

/**
 * Reads one page of a list. When the server searches a large list, a page can have few rows or none although there are more.
 * Then the next pages are read, too, until there are `want` rows.
 */
export async function readRows<P extends Page>(
  read: (cursor: string | undefined) => Promise<P>,
  cursor?: string,
  want = 1,
): Promise<P> {
  let page = await read(cursor)
  const data = [...page.data]
  for (let pages = 1; page.next !== null && data.length < want && pages < maxPages; pages++) {
    page = await read(page.next)
    data.push(...page.data)
  }
  return { ...page, data }
}
