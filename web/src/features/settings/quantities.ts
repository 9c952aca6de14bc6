import { t } from '../../i18n/t.ts'
import { formatSize, formatUnit } from '../../lib/sizes.ts'

/** What a number counts. It decides in which units people enter it. */
export type Quantity = 'count' | 'files' | 'days' | 'minutes' | 'bytes'

/** How much each unit is in the unit that is stored, the smallest first. Sizes are in powers of 1000, as everywhere in the web app. */
const factors: Record<Quantity, Readonly<Record<string, number>>> = {
  count: { one: 1 },
  files: { one: 1 },
  days: { day: 1 },
  minutes: { minute: 1, hour: 60, day: 24 * 60 },
  bytes: { MB: 1e6, GB: 1e9, TB: 1e12 },
}

/** A quantity as entered. */
export interface EnteredQuantity {
  number: string
  unit: string
}

/**
 * Converts a stored value to a form entry, without rounding. Uses the largest unit that needs no fraction; for sizes, the largest unit that
 * the size reaches.
 */
export function toEntered(quantity: Quantity, value: number | null): EnteredQuantity {
  const units = Object.entries(factors[quantity])
  const preferred = quantity === 'bytes' ? 'GB' : quantity === 'minutes' ? 'hour' : (units[0]?.[0] ?? '')
  if (value === null) return { number: '', unit: preferred }
  const fits = ([, factor]: [string, number]) => (quantity === 'bytes' ? value >= factor : value % factor === 0 && value > 0)
  const [unit, factor] = units.findLast(fits) ?? units[0] ?? ['', 1]
  return { number: quantity === 'bytes' ? divideExactly(value, factor) : String(value / factor), unit }
}

/** Returns the entered value in the unit that is stored, null if it is empty, or NaN if it is invalid. Sizes are rounded to bytes. */
export function fromEntered(quantity: Quantity, { number, unit }: EnteredQuantity): number | null {
  const text = number.trim().replace(',', '.')
  if (text === '') return null
  const factor = factors[quantity][unit]
  if (factor === undefined || !/^\d+(\.\d+)?$/.test(text)) return Number.NaN
  return quantity === 'bytes' ? multiplyExactly(text, factor) : Number((Number(text) * factor).toFixed(6))
}

/** Divides by a power of ten by moving the decimal point, because numbers have too few digits for the largest sizes. */
function divideExactly(value: number, powerOfTen: number): string {
  const decimals = String(powerOfTen).length - 1
  const digits = String(value).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}

function multiplyExactly(text: string, powerOfTen: number): number {
  const decimals = String(powerOfTen).length - 1
  const [whole = '', fraction = ''] = text.split('.')
  const moved = `${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`
  return Number(moved) + (Number(fraction[decimals] ?? 0) >= 5 ? 1 : 0)
}

/** The labels of the units to choose from. */
export function getUnits(quantity: Quantity): { value: string; label: string }[] {
  return Object.keys(factors[quantity]).map((value) => ({ value, label: getUnitLabel(quantity, value) }))
}

function getUnitLabel(quantity: Quantity, unit: string): string {
  if (quantity === 'bytes') return formatUnit(unit)
  if (quantity === 'files') return t('files')
  const labels: Record<string, string> = { minute: t('minutes'), hour: t('hours'), day: t('days') }
  return labels[unit] ?? ''
}

/** Formats a stored value for a sentence, such as “30 days”. */
export function formatQuantity(quantity: Quantity, value: number): string {
  if (quantity === 'bytes') return formatSize(value)
  if (quantity === 'count') return String(value) // a port number isn't an amount
  if (quantity === 'files') return t('{n} files', { n: value })
  const { number, unit } = toEntered(quantity, value)
  const n = Number(number)
  return unit === 'day' ? t('{n} days', { n }) : unit === 'hour' ? t('{n} hours', { n }) : t('{n} minutes', { n })
}
