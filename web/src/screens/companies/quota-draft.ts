import { fromEntered, toFieldEntry } from '../../lib/settings/quantities.ts'

/** A quota as entered: a number and its unit. An empty number means the default. */
export interface QuotaDraft {
  quota: string
  unit: string
}

export function toQuotaDraft(bytes: number | null): QuotaDraft {
  const { number, unit } = toFieldEntry('bytes', bytes)
  return { quota: number, unit }
}

/** Returns the entered quota in bytes, null if it is empty, or undefined if it is invalid. */
export function toBytes({ quota, unit }: QuotaDraft): number | null | undefined {
  const bytes = fromEntered('bytes', { number: quota, unit })
  return bytes === null || (Number.isSafeInteger(bytes) && bytes >= 1) ? bytes : undefined
}
