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

/** Returns a pattern of a text, with anything in place of its placeholders. */
const toPattern = (text: string) => new RegExp(`^${escapeRegExp(text).replaceAll(/\\\{\w+\\\}/g, '.+')}$`, 'u')

const hasWords = (text: string) => /\p{L}{2}/u.test(text.replaceAll(/\{\w+\}/g, ''))

/** Creates a function that returns the texts that are English although the catalogue has a translation. */
export function createEnglishFinder(language: string) {
  const catalogue = readCatalogue(language)
  const translations = Object.values(catalogue).flatMap(listForms).filter(hasWords).map(toPattern)
  const english = Object.entries(catalogue)
    .map(([text, translation]) => ({ text: text.replace(/ \(an? [a-z]+\)$/, ''), forms: listForms(translation) }))
    .filter(({ text, forms }) => !forms.includes(text))
    .map(({ text }) => toPattern(text))
  const matchesOne = (patterns: RegExp[], text: string) => patterns.some((pattern) => pattern.test(text))
  return (texts: readonly string[]) =>
    [...new Set(texts)].filter((text) => matchesOne(english, text) && !matchesOne(translations, text))
}
