import type { german } from './de/german.ts'
import { englishFirst } from './english-first.ts'
import { language, locale } from './language.ts'

/** Every text of the web, in English. One that has no German words does not compile. */
export type Text = keyof typeof german
/** Words for one and for more; `{n}` is the number. Every text with a count has both forms: words.test.ts checks it. */
export type Words = string | { one: string; other: string }

/** `name` and `size` of `{name} has {size}`. */
export type Slots<T extends string> = T extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never
/** Only `{n}` takes a number, so that nothing can be counted without its plural form. */
type Values<T extends string> = [Slots<T>] extends [never] ? [] : [{ [S in Slots<T>]: S extends 'n' ? string | number : string }]

let catalogue: Partial<Record<string, Words>> = englishFirst

/** Loads the words of the first screens. Call it before anything is shown. */
export async function loadWords(): Promise<void> {
  // Falls back to English if the translation fails to load.
  if (language === 'de')
    catalogue = await import('./de/first.ts').then(
      ({ first }) => first,
      () => englishFirst,
    )
  document.documentElement.lang = catalogue === englishFirst ? 'en' : language
}

/** Loads all words. Call it before any other screen is shown, and before saying why something failed. */
export async function loadAllWords(): Promise<void> {
  catalogue = language === 'de' ? (await import('./de/german.ts')).german : (await import('./english.ts')).english
}

/** A text in the language of whoever looks at it. To be called where it is shown, never while a module loads. */
export function t<T extends Text>(text: T, ...[values]: Values<T>): string {
  return fill(wordsOf(text, values), values)
}

/** What the server said. Its sentences are in the catalogue as well, with `{n}` for a number; one that is not is shown as it is. */
export function said(sentence: string): string {
  const [n = ''] = /\d+/.exec(sentence) ?? []
  const text = [sentence, sentence.replace(n, '{n}')].find((known) => Object.hasOwn(catalogue, known))
  return text === undefined ? sentence : fill(wordsOf(text, { n }), { n })
}

/** A label within a sentence. In English it begins with a small letter there; a German noun keeps its capital. */
export const inSentence = (label: string): string => (language === 'de' ? label : label.charAt(0).toLowerCase() + label.slice(1))

const plurals = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(locale)

/** `1,204`, or “Unknown” for a number that a reply left out. */
export const formatNumber = (value: number): string => (Number.isNaN(value) ? wordsOf(undefined) : numbers.format(value))

/** Returns the translation of a text. A value that is missing in a reply has no text of its own and becomes “Unknown”. */
export function wordsOf(given: string | undefined, values?: Record<string, unknown>): string {
  const text = given ?? 'Unknown'
  const words = catalogue[text] ?? text
  if (typeof words === 'string') return words
  return plurals.select(Number(values?.['n'])) === 'one' ? words.one : words.other
}

const fill = (words: string, values?: Record<string, string | number>) =>
  words.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const value = values?.[name] ?? slot
    return typeof value === 'number' ? formatNumber(value) : value
  })
