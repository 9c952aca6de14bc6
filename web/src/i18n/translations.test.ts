import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { german } from './de/german.ts'
import { english } from './english.ts'
import { loadAllTranslations, type Translation, t } from './t.ts'

const root = join(import.meta.dirname, '../../..')
/** Reads source files except the catalogues, with `{n}` for interpolated values as in the catalogues. */
const readSources = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !/\/i18n\/(de\/|english)/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/\$\{\w+\}/g, '{n}'))
    .join('\n')

const texts = Object.entries<Translation>(german)
const getForms = (translation: Translation) => (typeof translation === 'string' ? [translation] : Object.values(translation))
const getPlaceholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

it('has no German translations of unused texts', () => {
  // Matches from every quotation mark, because the end of one literal can look like the start of another.
  const matches = readSources('{web,contract,server}/src/**/*.{ts,tsx}').matchAll(/(?=((['"`])(?:\\.|(?!\2)[^\\\n])+\2))/g)
  const literals = new Set(Array.from(matches, ([, literal]) => literal))
  const isUsed = (text: string) =>
    [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`, `\`${text}\``].some((quoted) => literals.has(quoted))
  expect(texts.map(([text]) => text).filter((text) => !isUsed(text))).toEqual([])
})

it('translates every validation message of the server', () => {
  const rules = readSources('{contract/src/{common,password}.ts,server/src/lib/{file-name,password/password-rules}.ts}')
  const sentences = [...rules.matchAll(/['`](This [^'`]+\.)['`]/g)].map(([, sentence = '']) => sentence)
  const apiOnly = /whole number|one of|NEPTUNE_/
  expect(sentences.length).toBeGreaterThan(15)
  expect(sentences.filter((sentence) => !(sentence in german) && !apiOnly.test(sentence))).toEqual([])
})

it('translates every webhook message of the server', () => {
  const source = readSources('server/src/features/webhook/{post,webhook-queue.service,webhook.service}.ts')
  const sentences = [...source.matchAll(/['`]([A-Z][^'`\n]+ [^'`\n]+\.)['`]/g)].map(([, sentence = '']) => sentence)
  // Technical reasons are in brackets.
  const keys = sentences.map((sentence) => sentence.replace(/\(\$?\{[^}]+\}\)/, '({reason})'))
  expect(keys.length).toBeGreaterThan(14)
  expect(keys.filter((key) => !(key in german))).toEqual([])
})

it('has the same placeholders in both languages', () => {
  const hasOtherPlaceholders = ([text, translation]: [string, Translation]) =>
    getForms(translation).some((form) => getPlaceholders(form).join() !== getPlaceholders(text).join())
  expect([...texts, ...Object.entries<Translation>(english)].filter(hasOtherPlaceholders)).toEqual([])
})

it('has plural forms for the same texts in both languages', () => {
  const getTextsWithPlural = (catalogue: Record<string, Translation>) =>
    Object.keys(catalogue)
      .filter((text) => typeof catalogue[text] !== 'string')
      .sort()
  expect(getTextsWithPlural(english)).toEqual(getTextsWithPlural(german))
})

/** Texts that are the same for every number: abbreviated units, participles, positions in a list, status codes. */
const invariableTexts = [
  '{n} min ago',
  '{n} h ago',
  'in {n} min',
  'in {n} h',
  '{n} s left',
  '{n} min left',
  '{n} h left',
  'Choose one of {n} found',
  'Opened {n}',
  'downloaded {n}',
  'uploaded {n}',
  '{list}, starting at {n}',
  'and {n} more',
  '{n} uploaded',
  '{n} failed',
  '{n} done',
  '{n} to be chosen again',
  '{n} paused',
  'The receiver responded with {n}.',
  'The receiver responded with {n}. Redirects are not followed.',
]

it('has a singular and a plural form of every text with a count', () => {
  const withoutPlural = texts
    .filter(([text, translation]) => text.includes('{n}') && typeof translation === 'string')
    .map(([text]) => text)
  expect(withoutPlural.toSorted()).toEqual(invariableTexts.toSorted())
})

it('chooses the singular or plural form by the count', async () => {
  await loadAllTranslations()
  expect([0, 1, 2].map((n) => t('{n} uploads', { n }))).toEqual(['0 uploads', '1 upload', '2 uploads'])
})

it('has each German text in only one file', () => {
  const keys = globSync('de/*.ts', { cwd: import.meta.dirname }).flatMap((file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    return [...source.matchAll(/^ {2}(?:'((?:\\.|[^'])+)'|"([^"]+)"|(\w+)):/gm)].map(
      ([, single, double, bare]) => single ?? double ?? bare,
    )
  })
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})
