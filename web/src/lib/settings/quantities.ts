import { locale } from '../../i18n/language.ts'
import { formatNumber, t } from '../../i18n/t.ts'
import { formatSize, formatUnit } from '../sizes.ts'

/** What a number counts. It decides in which units people enter it. */
export type Quantity = 'count' | 'files' | 'days' | 'minutes' | 'bytes'

/** Units of sizes in powers of 1024, for limits such as 20 GiB. */
const binaryUnits: Readonly<Record<string, number>> = { MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }

/** Units of sizes in powers of 1000, as everywhere in the web app. */
const decimalUnits: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 }

/** How much each unit is in the unit that is stored, the smallest first. */
const factors: Record<Quantity, Readonly<Record<string, number>>> = {
  count: { one: 1 },
  files: { one: 1 },
  days: { day: 1 },
  minutes: { minute: 1, hour: 60, day: 24 * 60 },
  bytes: { ...decimalUnits, ...binaryUnits },
}

/** A quantity as entered. */
export interface EnteredQuantity {
  number: string
  unit: string
}

/** Converts a stored value to a form entry, without rounding. Uses the largest unit that needs no fraction. */
export function toEntered(quantity: Quantity, value: number | null): EnteredQuantity {
  const units = Object.entries(factors[quantity])
  const preferred = quantity === 'bytes' ? 'GB' : quantity === 'minutes' ? 'hour' : (units[0]?.[0] ?? '')
  if (value === null) return { number: '', unit: preferred }
  if (quantity === 'bytes') return toEnteredSize(value)
  const [unit, factor] = findLargestWhole(units, value) ?? units[0] ?? ['', 1]
  return { number: String(value / factor), unit }
}

const decimalMark = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** Converts a stored value to what a field shows, with the decimal mark of the language. */
export function toFieldEntry(quantity: Quantity, value: number | null): EnteredQuantity {
  const { number, unit } = toEntered(quantity, value)
  return { number: number.replace('.', decimalMark), unit }
}

const findLargestWhole = (units: [string, number][], value: number) =>
  units.findLast(([, factor]) => value % factor === 0 && value > 0)

/**
 * Uses the largest decimal unit that a size reaches, with a fraction if needed. Sizes that are whole numbers only in binary
 * units, such as 20 GiB, use those.
 */
function toEnteredSize(bytes: number): EnteredQuantity {
  const binary = bytes % 1e6 === 0 ? undefined : findLargestWhole(Object.entries(binaryUnits), bytes)
  if (binary) return { number: String(bytes / binary[1]), unit: binary[0] }
  const [unit, factor] = Object.entries(decimalUnits).findLast(([, factor]) => bytes >= factor) ?? ['MB', 1e6]
  return { number: divideExactly(bytes, factor), unit }
}

/** Returns the entered value in the unit that is stored, null if it is empty, or NaN if it is invalid. Sizes are rounded to bytes. */
export function fromEntered(quantity: Quantity, { number, unit }: EnteredQuantity): number | null {
  const text = number.trim().replace(',', '.')
  if (text === '') return null
  const factor = factors[quantity][unit]
  if (factor === undefined || !/^\d+(\.\d+)?$/.test(text)) return Number.NaN
  if (unit in binaryUnits) return Math.round(Number(text) * factor)
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
  if (quantity === 'bytes') return formatLimit(value)
  if (quantity === 'count') return String(value) // a port number isn't an amount
  if (quantity === 'files') return t('{n} files', { n: value })
  const { number, unit } = toEntered(quantity, value)
  const n = Number(number)
  return unit === 'day' ? t('{n} days', { n }) : unit === 'hour' ? t('{n} hours', { n }) : t('{n} minutes', { n })
}

/** Formats a size as it is entered if that is in a binary unit, such as “20 GiB”. Rounds all others. */
function formatLimit(bytes: number): string {
  const { number, unit } = toEnteredSize(bytes)
  return unit in binaryUnits ? `${formatNumber(Number(number))} ${formatUnit(unit)}` : formatSize(bytes)
}
