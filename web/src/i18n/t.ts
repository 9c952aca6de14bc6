import type { german } from './de/german.ts'
import { englishFirst } from './english-first.ts'
import { language, locale } from './language.ts'

/** Every English text of the web app. A text without a German translation does not compile. */
export type Text = keyof typeof german
/** A translation, with a singular and a plural form if it has a count `{n}`. translations.test.ts checks that both exist. */
export type Translation = string | { one: string; other: string }

/** The placeholder names of a text: `name` and `size` in `{name} has {size}`. */
export type Slots<T extends string> = T extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never
/** Only `{n}` takes a number, so that every count has a plural form. */
type Values<T extends string> = [Slots<T>] extends [never] ? [] : [{ [S in Slots<T>]: S extends 'n' ? string | number : string }]

let catalogue: Partial<Record<string, Translation>> = englishFirst

/** Loads the translations of the first screens. Call it before rendering. */
export async function loadFirstTranslations(): Promise<void> {
  // Falls back to English if the translation fails to load.
  if (language === 'de')
    catalogue = await import('./de/first.ts').then(
      ({ first }) => first,
      () => englishFirst,
    )
  document.documentElement.lang = catalogue === englishFirst ? 'en' : language
}

/** Loads all translations. Call it before rendering any other screen, and before showing an error. */
export async function loadAllTranslations(): Promise<void> {
  catalogue = language === 'de' ? (await import('./de/german.ts')).german : (await import('./english.ts')).english
}

/** Translates a text. Call it while rendering, never while a module loads. */
export function t<T extends Text>(text: T, ...[values]: Values<T>): string {
  return fillPlaceholders(translate(text, values), values)
}

/** Translates a message from the server. The catalogue has `{n}` in place of a number. Returns an unknown message unchanged. */
export function translateMessage(message: string): string {
  const [n = ''] = /\d+/.exec(message) ?? []
  const text = [message, message.replace(n, '{n}')].find((key) => Object.hasOwn(catalogue, key))
  return text === undefined ? message : fillPlaceholders(translate(text, { n }), { n })
}

/** Adapts a label for use within a sentence: lowercase in English, unchanged in German. */
export const toInlineLabel = (label: string): string =>
  language === 'de' ? label : label.charAt(0).toLowerCase() + label.slice(1)

const plurals = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(locale)

/** Formats as `1,204`, or returns “Unknown” for a number that is missing in a reply. */
export const formatNumber = (value: number): string => (Number.isNaN(value) ? translate('Unknown') : numbers.format(value))

/**
 * Returns the translation of a text, with its placeholders. Without a text, because a value is missing in a reply, returns
 * “Unknown”.
 */
export function translate(key: string | undefined, values?: Record<string, unknown>): string {
  const text = key ?? 'Unknown'
  const translation = catalogue[text] ?? text
  if (typeof translation === 'string') return translation
  return plurals.select(Number(values?.['n'])) === 'one' ? translation.one : translation.other
}

const fillPlaceholders = (template: string, values?: Record<string, string | number>) =>
  template.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const value = values?.[name] ?? slot
    return typeof value === 'number' ? formatNumber(value) : value
  })
