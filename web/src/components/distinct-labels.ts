export interface DistinctLabel {
  /** Differs from the labels of all other rows. */
  label: string
  /** What was added to the row's own label, if that was needed. */
  detail: string | undefined
}

/**
 * Names rows so that controls in them have different accessible names. A label that occurs once stays as it is. A label that
 * occurs several times gets the row's detail and, if that is not distinct either, a number.
 */
export function distinctLabels<Row>(
  rows: readonly Row[],
  labelOf: (row: Row) => string,
  detailOf: (row: Row) => string | undefined = () => undefined,
): DistinctLabel[] {
  const labels = rows.map(labelOf)
  const isShared = sharedIn(labels)
  const details = rows.map((row, index) => (isShared(labels[index] ?? '') ? detailOf(row) : undefined))
  const named = labels.map((label, index) => joined(label, details[index]))
  const isStillShared = sharedIn(named)
  const used = new Map<string, number>()
  return named.map((label, index) => {
    if (!isStillShared(label)) return { label, detail: details[index] }
    const number = (used.get(label) ?? 0) + 1
    used.set(label, number)
    return { label: joined(label, String(number)), detail: joined(details[index], String(number)) }
  })
}

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(', ')

function sharedIn(labels: readonly string[]) {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const label of labels) (seen.has(label) ? shared : seen).add(label)
  return (label: string) => shared.has(label)
}
