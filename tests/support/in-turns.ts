/** Some at a time. */
export async function inTurns<T>(atOnce: number, tasks: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  const left = tasks.entries()
  const work = async () => {
    for (const [i, task] of left) results[i] = await task()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}
