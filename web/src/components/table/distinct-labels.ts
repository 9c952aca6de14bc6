export interface DistinctLabel {
  /** Unique among all rows. */
  label: string
  /** The suffix added to make it unique, if any. */
  detail: string | undefined
}

/**
 * Creates a label for each row, so that controls in different rows have different accessible names. A label that occurs once
 * stays as it is. A label that occurs several times gets the row's detail and, if that is not distinct either, a number.
 */
export function createDistinctLabels<Row>(
  rows: readonly Row[],
  getLabel: (row: Row) => string,
  getDetail: (row: Row) => string | undefined = () => undefined,
): DistinctLabel[] {
  const labels = rows.map(getLabel)
  const isDuplicate = createDuplicateCheck(labels)
  const details = rows.map((row, index) => (isDuplicate(labels[index] ?? '') ? getDetail(row) : undefined))
  const detailedLabels = labels.map((label, index) => join(label, details[index]))
  const isStillDuplicate = createDuplicateCheck(detailedLabels)
  const lastNumbers = new Map<string, number>()
  return detailedLabels.map((label, index) => {
    if (!isStillDuplicate(label)) return { label, detail: details[index] }
    const number = (lastNumbers.get(label) ?? 0) + 1
    lastNumbers.set(label, number)
    return { label: join(label, String(number)), detail: join(details[index], String(number)) }
  })
}

const join = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(', ')

/** Returns a function that tells whether a label occurs more than once. */
function createDuplicateCheck(labels: readonly string[]) {
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  for (const label of labels) (seen.has(label) ? duplicates : seen).add(label)
  return (label: string) => duplicates.has(label)
}
