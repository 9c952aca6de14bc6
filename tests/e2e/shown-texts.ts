import type { Page } from '@playwright/test'
import { readCatalogue } from '../../web/build/catalogues.ts'
import type { Translation } from '../../web/src/i18n/catalogue.ts'

/** Returns every text on the page, visible or announced. */
export const readShownTexts = (page: Page): Promise<string[]> => page.evaluate(collectTexts)

/** Runs in the browser. */
function collectTexts(): string[] {
  const texts = document.title.split(' · ')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    // The names of languages are each in their own language.
    if (!walker.currentNode.parentElement?.closest('script, style, code, [lang]:not(html)'))
      texts.push(walker.currentNode.nodeValue ?? '')
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'label']) {
    for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name) ?? '')
  }
  return texts.flatMap((text) => [text.trim(), ...text.split(' · ').map((part) => part.trim())]).filter(Boolean)
}

export const listForms = (translation: Translation) =>
  typeof translation === 'string' ? [translation] : Object.values(translation)

const escapeRegExp = (text: string) => text.replaceAll(/[/\\^$*+?.()|[\]{}]/g, '\\$&')

/** Returns a pattern of a text, with a number in place of `{n}` and anything in place of other placeholders. */
const toPattern = (text: string) =>
  new RegExp(
    `^${escapeRegExp(text).replaceAll(/\\\{(\w+)\\\}/g, (_, name: string) => (name === 'n' ? '\\d[\\d.,\\s]*' : '.+'))}$`,
    'u',
  )

/** Returns a function that checks whether a text is one of these, with its placeholders filled. */
function createMatcher(texts: readonly string[]) {
  const exactTexts = new Set(texts)
  const patterns = texts.filter((text) => text.includes('{')).map(toPattern)
  return (text: string) => exactTexts.has(text) || patterns.some((pattern) => pattern.test(text))
}

/** Names of files, and abbreviations that are the same as an English word, such as the French unit `To`. */
const isAmbiguous = (text: string) => /\.\w{3,4}$/.test(text) || text.length <= 2

const removePlaceholders = (text: string) => text.replaceAll(/\{\w+\}/g, '')

const hasWords = (text: string) => /\p{L}{2}/u.test(removePlaceholders(text))

/** Returns whether a text has a longer word. Otherwise a text such as `{part} of {whole}` would match many Dutch sentences. */
const hasLongWords = (text: string) => /\p{L}{3}/u.test(removePlaceholders(text))

/** Creates a function that returns the texts that are English although the catalogue has a translation. */
export function createEnglishFinder(language: string) {
  const catalogue = readCatalogue(language)
  const isTranslation = createMatcher(Object.values(catalogue).flatMap(listForms).filter(hasWords))
  const isEnglish = createMatcher(
    Object.entries(catalogue)
      .map(([text, translation]) => ({ text: text.replace(/ \(an? [a-z]+\)$/, ''), forms: listForms(translation) }))
      .filter(({ text, forms }) => hasLongWords(text) && !forms.includes(text))
      .map(({ text }) => text),
  )
  return (texts: readonly string[]) =>
    [...new Set(texts)].filter((text) => !isAmbiguous(text) && isEnglish(text) && !isTranslation(text))
}
