import { language, locale } from '../i18n/language.ts'
import { t } from '../i18n/t.ts'

/** Returns how the page’s language writes a unit: in French, a byte is an “octet”, so `MB` is `Mo`. */
export const formatUnit = (unit: string) => (language === 'fr' ? unit.replace('B', 'o').replace('K', 'k') : unit)

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'].map(formatUnit)
const [decimalMark = '.'] = new Intl.NumberFormat(locale)
  .formatToParts(0.1)
  .flatMap(({ type, value }) => (type === 'decimal' ? value : []))

/**
 * Formats a size as `1.4 GB`, or `1,4 GB` in German: one decimal, in powers of 1000 as in file managers. A missing size is
 * “Unknown”.
 */
export function formatSize(bytes: number): string {
  if (Number.isNaN(bytes)) return t('Unknown')
  if (bytes < 1000) return `${bytes} ${units[0]}`
  let value = bytes / 1000
  let unit = 1
  // 999,950 would be rounded to 1000.0 KB.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(1).replace('.', decimalMark)} ${units[unit]}`
}

/** Formats as `1 file, 1.4 GB`. */
export const formatAmount = (files: number, bytes: number) => `${t('{n} files', { n: files })}, ${formatSize(bytes)}`
