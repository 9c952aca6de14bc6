/** A Prometheus metric, with a value for each set of labels. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** `part` is the suffix of a histogram's series, such as `_bucket`. */
  values: { part?: string; labels?: Record<string, string>; value: number }[]
}

/** Creates a metric with one value and no labels. */
export const createSingleValue = (name: string, type: Metric['type'], help: string, value: number): Metric => ({
  name,
  type,
  help,
  values: [{ value }],
})

/** Merges the metrics of several workers, labelled by worker. Sums would make counters go down when a worker dies. */
export function addWorkerLabels(workers: { worker: number; metrics: Metric[] }[]): Metric[] {
  const all = workers.flatMap(({ worker, metrics }) =>
    metrics.map(({ values, ...metric }) => ({
      ...metric,
      values: values.map((value) => ({ ...value, labels: { ...value.labels, worker: String(worker) } })),
    })),
  )
  return [...Map.groupBy(all, ({ name }) => name).values()].flatMap(([first, ...rest]) =>
    first ? [{ ...first, values: [...first.values, ...rest.flatMap(({ values }) => values)] }] : [],
  )
}

/** Returns the metrics in the Prometheus text format. */
export const formatMetrics = (metrics: Metric[]) => metrics.flatMap(formatMetric).join('\n').concat('\n')

const formatMetric = ({ name, help, type, values }: Metric) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...values.map(({ part = '', labels = {}, value }) => `${name}${part}${formatLabels(labels)} ${value}`),
]

function formatLabels(labels: Record<string, string>) {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}
