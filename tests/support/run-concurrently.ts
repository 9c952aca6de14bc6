/** Runs the tasks with limited concurrency, and returns their results in order. */
export async function runConcurrently<T>(concurrency: number, tasks: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  const remaining = tasks.entries()
  const work = async () => {
    for (const [i, task] of remaining) results[i] = await task()
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return results
}
