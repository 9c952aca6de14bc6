import type { Catalogue, Text } from './catalogue.ts'
import englishFirst from './en/first.json'
import { language, locale } from './language.ts'

export type { Text } from './catalogue.ts'

/** The placeholder names of a text: `name` and `size` in `{name} has {size}`. */
export type Slots<T extends string> = T extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never
/** Only `{n}` takes a number, so that every count has a plural form. */
type Values<T extends string> = [Slots<T>] extends [never] ? [] : [{ [S in Slots<T>]: S extends 'n' ? string | number : string }]

/** The texts of the sign-in and access pages, which must load fast. English has only a few, so it needs no request. */
const firstParts = import.meta.glob<{ default: Catalogue }>(['./*/first.json', '!./en/*'])
/** The texts of all other pages. */
const otherParts = import.meta.glob<{ default: Catalogue }>('./*/app.json')

let catalogue: Catalogue = englishFirst

/** Loads the translations of the first screens. Call it before rendering. Falls back to English if they fail to load. */
export async function loadFirstTranslations(): Promise<void> {
  await loadFirstPart().then(
    (first) => setCatalogue(first, language),
    () => setCatalogue(englishFirst, 'en'),
  )
}

/** Loads all translations. Call it before rendering any other screen, and before showing an error. */
export async function loadAllTranslations(): Promise<void> {
  const [first, others] = await Promise.all([loadFirstPart(), otherParts[`./${language}/app.json`]?.()])
  setCatalogue({ ...first, ...others?.default }, language)
}

const loadFirstPart = async (): Promise<Catalogue> => (await firstParts[`./${language}/first.json`]?.())?.default ?? englishFirst

function setCatalogue(texts: Catalogue, tag: string): void {
  catalogue = texts
  if (typeof document !== 'undefined') document.documentElement.lang = tag
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

/** Whether a label keeps its capital letter within another label: German nouns always have one, and Dutch texts start with the label. */
const keepsCapitals = language === 'de' || language === 'nl'

/** Adapts a label for use within another one: `Access code` becomes `access code`, and `URL` stays. */
export const toInlineLabel = (label: string): string =>
  keepsCapitals ? label : label.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase())

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
  return translation[plurals.select(Number(values?.['n']))] ?? translation.other
}

const fillPlaceholders = (template: string, values?: Record<string, string | number>) =>
  template.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const value = values?.[name] ?? slot
    return typeof value === 'number' ? formatNumber(value) : value
  })
