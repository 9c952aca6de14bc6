import type { ResponseTimeListener } from '../http/log/response-time.ts'
import { getRouteLabels } from '../http/log/route-labels.ts'
import type { Metric } from './metric.ts'

/** Upper bounds, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The response times of one route: how many are in each bucket, and their sum in seconds. */
interface RouteTimes {
  method: string
  route: string
  counts: number[]
  sum: number
}

/** Creates a histogram of response times by route. */
export function createResponseTimeHistogram() {
  const times = new Map<string, RouteTimes>()
  const onResponse: ResponseTimeListener = (request, milliseconds) => {
    const { method, route } = getRouteLabels(request)
    const key = `${method} ${route}`
    const entry = times.get(key) ?? { method, route, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 }
    times.set(key, entry)
    const seconds = milliseconds / 1000
    const at = buckets.findIndex((bucket) => seconds <= bucket)
    const bucket = at < 0 ? buckets.length : at
    entry.counts[bucket] = (entry.counts[bucket] ?? 0) + 1
    entry.sum += seconds
  }
  return { onResponse, toMetric: () => createMetric([...times.values()]) }
}

function createMetric(times: RouteTimes[]): Metric {
  const values = times.flatMap(({ method, route, counts, sum }) => {
    let total = 0
    const rows = counts.map((count, i) => {
      total += count
      return { part: '_bucket', labels: { method, route, le: String(buckets[i] ?? '+Inf') }, value: total }
    })
    const labels = { method, route }
    return [...rows, { part: '_sum', labels, value: sum }, { part: '_count', labels, value: total }]
  })
  const help = 'Time until the first byte of the reply, without the time that the request body took to arrive.'
  return { name: 'neptune_http_answer_seconds', type: 'histogram', help, values }
}
