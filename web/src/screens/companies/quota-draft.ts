/** The units of a quota, in powers of 1000 like every size the web app shows. */
export const quotaUnits = ['MB', 'GB', 'TB'] as const

/** A quota as entered: a number and its unit. An empty number means the default. */
export interface QuotaDraft {
  quota: string
  unit: string
}

const bytesPerUnit: Record<string, number> = { MB: 1e6, GB: 1e9, TB: 1e12 }

/** Converts a quota for the form, in the largest unit in which it is at least 1. Smaller quotas are in MB. */
export function toQuotaDraft(bytes: number | null): QuotaDraft {
  if (bytes === null) return { quota: '', unit: 'GB' }
  const unit = quotaUnits.findLast((unit) => bytes >= (bytesPerUnit[unit] ?? 0)) ?? 'MB'
  return { quota: String(bytes / (bytesPerUnit[unit] ?? 1)), unit }
}

/** Returns the entered quota in bytes, null if it is empty, or undefined if it is invalid. Accepts a decimal point or comma. */
export function toBytes({ quota, unit }: QuotaDraft): number | null | undefined {
  const entered = quota.trim().replace(',', '.')
  if (entered === '') return null
  if (!/^\d+(\.\d+)?$/.test(entered)) return undefined
  const bytes = Math.round(Number(entered) * (bytesPerUnit[unit] ?? Number.NaN))
  return Number.isSafeInteger(bytes) && bytes >= 1 ? bytes : undefined
}
