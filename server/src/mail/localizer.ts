import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@neptune/contract'
import { type ParsedMessage, parseMessage } from './parse-message.ts'
import type german from './texts/de.json'

/** An English email text, which is also the key of its translations. */
type Text = keyof typeof german

/** The placeholder names of a text: `name` and `size` in `{name} has {size}`. */
type Slots<T extends string> = T extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never
/** Only `{n}` takes a number, so that every count has plural forms. */
type Values<T extends string> = [Slots<T>] extends [never] ? [] : [{ [S in Slots<T>]: S extends 'n' ? number : string }]

/** Translates texts and formats values in the reader's language, with times in the time zone of the organisation. */
export interface Localizer {
  language: Language
  /** The name of the organisation, or of the company that shares its files under its own name. */
  organisation: string
  t<T extends Text>(text: T, ...values: Values<T>): string
  formatNumber(value: number): string
  formatPercent(percent: number): string
  /** Formats as `1.4 GB`, or `1,4 Go` in French: in powers of 1000, as in file managers. */
  formatSize(bytes: number): string
  /** Formats as `18 November 2026, 14:05 (Central European Time)`. */
  formatTime(time: string): string
}

interface Reader {
  language: Language
  timeZone: string
  organisation: string
}

export function createLocalizer({ language, timeZone, organisation }: Reader): Localizer {
  const messages = loadMessages(language)
  const locale = language === 'en' ? 'en-GB' : language // 24-hour clock, day before month
  const plurals = new Intl.PluralRules(language)
  const formatNumber = (value: number, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options).format(value)
  return {
    language,
    organisation,
    t(text, ...[values]) {
      const message = messages.get(text) ?? text
      const { n = 0 } = (values ?? {}) as { n?: number }
      const template = typeof message === 'string' ? message : (message[plurals.select(n)] ?? message.other)
      return fillPlaceholders(template, { ...values, ...(values && 'n' in values && { n: formatNumber(n) }) })
    },
    formatNumber,
    formatPercent: (percent) => formatNumber(percent / 100, { style: 'percent' }),
    formatSize(bytes) {
      const step = bytes < 1000 ? 0 : units.findLastIndex((_, index) => bytes >= 999_950 * 1000 ** (index - 2)) // not 1000 KB
      const unit = units[step] ?? ''
      const value = formatNumber(bytes / 1000 ** step, { maximumFractionDigits: 1 })
      return `${value} ${language === 'fr' ? unit.replace('B', 'o').replace('K', 'k') : unit}` // a byte is an octet
    },
    formatTime(time) {
      const at = new Date(time)
      const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(at)
      const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(at)
      return `${date}, ${clock} (${nameTimeZone(locale, timeZone, at)})`
    },
  }
}

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Fills all placeholders at once, so that a value that looks like a placeholder stays as it is. */
const fillPlaceholders = (template: string, values: Record<string, unknown>) =>
  template.replaceAll(/\{(\w+)\}/g, (slot, name: string) => String(values[name] ?? slot))

/** Returns `Central European Time`, even in summer. A zone that has no such name, such as UTC, keeps its full name. */
function nameTimeZone(locale: string, timeZone: string, at: Date): string {
  const find = (timeZoneName: 'long' | 'longGeneric') =>
    new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts(at).find(({ type }) => type === 'timeZoneName')
      ?.value
  const name = find('longGeneric') ?? ''
  return /^(GMT|UTC)/.test(name) ? (find('long') ?? name) : name
}

const loaded = new Map<Language, Map<string, ParsedMessage>>()

/** Loads the texts of a language with the first email in it. In English, only plural forms differ from the text itself. */
function loadMessages(language: Language): Map<string, ParsedMessage> {
  const known = loaded.get(language)
  if (known) return known
  const source: Record<string, string> = JSON.parse(readFileSync(join(import.meta.dirname, `texts/${language}.json`), 'utf8'))
  const messages = new Map(Object.entries(source).map(([text, message]) => [text, parseMessage(message)]))
  loaded.set(language, messages)
  return messages
}
