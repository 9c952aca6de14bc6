/** Runs an action for each item, at most `limit` at the same time. */
export async function runInParallel<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const work = async () => {
    for (const item of rest) await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
}
