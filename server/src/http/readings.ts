/** One thing that is measured, with a value for each set of labels. */
export interface Reading {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** `part` is what a histogram adds to its name. */
  values: { part?: string; labels?: Record<string, string>; value: number }[]
}

export const one = (name: string, type: Reading['type'], help: string, value: number): Reading => ({
  name,
  type,
  help,
  values: [{ value }],
})

/** What several processes tell of themselves, each with its number: summed up, they would seem to go back when one of them dies. */
export function labelled(parts: { worker: number; readings: Reading[] }[]): Reading[] {
  const all = parts.flatMap(({ worker, readings }) =>
    readings.map(({ values, ...reading }) => ({
      ...reading,
      values: values.map((value) => ({ ...value, labels: { ...value.labels, worker: String(worker) } })),
    })),
  )
  return [...Map.groupBy(all, ({ name }) => name).values()].flatMap(([first, ...rest]) =>
    first ? [{ ...first, values: [...first.values, ...rest.flatMap(({ values }) => values)] }] : [],
  )
}

export const textOf = (readings: Reading[]) => readings.flatMap(linesOf).join('\n').concat('\n')

const linesOf = ({ name, help, type, values }: Reading) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...values.map(({ part = '', labels = {}, value }) => `${name}${part}${bracket(labels)} ${value}`),
]

function bracket(labels: Record<string, string>) {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}
