/** The parts of a zod issue used here. */
interface Issue {
  code?: string
  /** The expected type. */
  expected?: string
  path?: readonly PropertyKey[]
}

interface Schema {
  '~standard': { validate: (value: unknown) => unknown }
}

/** Placeholders for missing values by type. The functions that format and translate values show them as “Unknown”. */
const placeholders: Record<string, () => unknown> = {
  string: () => '',
  number: () => Number.NaN,
  boolean: () => false,
  array: () => [],
  object: () => ({}),
}

/** More than the nesting depth of any reply: each pass fills one level. */
const maxPasses = 8

/**
 * Validates a reply. Replaces null or missing values of list rows with placeholders, so that one of them does not hide the whole
 * list. Returns undefined for a reply that differs from the schema in any other way.
 */
export async function readWithMissingValues(schema: Schema, json: unknown): Promise<unknown> {
  const filled = new Set<string>()
  for (let pass = 0; pass < maxPasses; pass++) {
    const result = (await schema['~standard'].validate(json)) as { value?: unknown; issues?: readonly Issue[] }
    if (!result.issues) return result.value
    const newIssues = result.issues.filter(({ path = [] }) => !filled.has(path.join('.')))
    if (newIssues.length === 0) return json
    for (const issue of newIssues) if (!fillMissing(json, issue, filled)) return undefined
  }
  return undefined
}

/** Fills a missing value. Returns false for any other issue. */
function fillMissing(json: unknown, { code, expected = '', path = [] }: Issue, filled: Set<string>): boolean {
  const name = path.at(-1)
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), json)
  if (name === undefined || !isInList(json, path) || !isRecord(parent)) return false
  if (parent[name] === undefined) {
    // Tries null first, which many fields allow. Otherwise the next pass sets a placeholder.
    parent[name] = null
    return true
  }
  if (parent[name] !== null) return false
  parent[name] = code === 'invalid_value' ? '' : placeholders[expected]?.()
  filled.add(path.join('.'))
  return true
}

/** Returns whether the path points into a row, or to `next`, which may be missing on the last page. */
const isInList = (json: unknown, [first, second, ...rest]: readonly PropertyKey[]) =>
  isRecord(json) &&
  Array.isArray(json['data']) &&
  (first === 'data' ? typeof second === 'number' && rest.length > 0 : first === 'next' && second === undefined)

const isRecord = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null
