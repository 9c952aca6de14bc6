import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  isArgumentElement,
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'
import type { Catalogue, Translation } from '../src/i18n/catalogue.ts'

/** Compiles the ICU messages of the catalogues during the build, so that the browser loads plain texts and no parser. */
export function compileCatalogues(): Plugin {
  return {
    name: 'neptune:compile-catalogues',
    enforce: 'pre', // before Vite turns JSON into a module
    config: () => ({ json: { namedExports: false } }), // would repeat every key that is a valid name
    transform: {
      filter: { id: /\/i18n\/[a-z]{2}\/\w+\.json$/ },
      handler: (source) => JSON.stringify(dropRepeatedForms(compileCatalogue(source))),
    },
  }
}

/** Reads and compiles all texts of a language. Tests use it, because they run without Vite. */
export const readCatalogue = (language: string): Catalogue =>
  Object.assign(
    {},
    ...['first', 'app'].map((part) =>
      compileCatalogue(readFileSync(join(import.meta.dirname, '../src/i18n', language, `${part}.json`), 'utf8')),
    ),
  )

/** Compiles a catalogue: a JSON object of ICU messages by English text. */
export const compileCatalogue = (source: string): Catalogue =>
  Object.fromEntries(Object.entries<string>(JSON.parse(source)).map(([text, message]) => [text, compileMessage(message)]))

/** Compiles an ICU message to a text, or to one text for each of its plural categories. */
function compileMessage(message: string): Translation {
  try {
    const elements = parse(message, { ignoreTag: true })
    const plural = elements.find(isPluralElement)
    if (!plural) return elements.map(toText).join('')
    if (plural.value !== 'n' || plural.pluralType !== 'cardinal' || plural.offset !== 0)
      throw new Error('Plural forms must be written as {n, plural, …}.')
    const forms = Object.entries(plural.options).map(([category, { value }]) => [
      category,
      elements
        .flatMap((element) => (element === plural ? value : [element]))
        .map(toText)
        .join(''),
    ])
    return Object.fromEntries(forms)
  } catch (cause) {
    throw new Error(`Invalid ICU message: ${message}`, { cause })
  }
}

/** Returns the text of an element, with `{name}` for the argument `name`. */
function toText(element: MessageFormatElement): string {
  if (isArgumentElement(element)) return `{${element.value}}`
  if (isPoundElement(element)) return '{n}'
  if (isLiteralElement(element) && !/[{}]/.test(element.value)) return element.value
  throw new Error('A message may contain only text, arguments such as {name}, and one plural.')
}

/** Drops plural forms that equal `other`, which the app uses for a category without a form. */
const dropRepeatedForms = (catalogue: Catalogue): Catalogue =>
  Object.fromEntries(
    Object.entries(catalogue).map(([text, translation]) => {
      if (typeof translation === 'string') return [text, translation]
      const { other, ...forms } = translation
      const distinct = Object.entries(forms).filter(([, form]) => form !== other)
      return [text, distinct.length > 0 ? { ...Object.fromEntries(distinct), other } : other]
    }),
  )
