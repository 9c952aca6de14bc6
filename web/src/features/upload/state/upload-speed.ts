/** The total number of bytes sent by a point in time. */
export type Sample = readonly [atMs: number, totalBytes: number]

const speedWindowMs = 4000
/** Samples closer than this are merged, because many small files cause thousands of samples per window. */
const sampleIntervalMs = 50

/** Adds a sample and drops old ones, but keeps one that is at least as old as the window. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const [beforeLast, last] = samples.slice(-2)
  if (beforeLast && last && last[0] - beforeLast[0] < sampleIntervalMs) return [...samples.slice(0, -1), sample]
  const windowStart = samples.findLastIndex(([atMs]) => atMs <= sample[0] - speedWindowMs)
  return [...samples.slice(Math.max(0, windowStart)), sample]
}

export function computeSpeed(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last[0] - first[0] < 250) return 0
  return Math.max(0, ((last[1] - first[1]) * 1000) / (last[0] - first[0]))
}

export const estimateSecondsLeft = (bytes: number, speed: number) => (speed > 0 ? bytes / speed : undefined)
