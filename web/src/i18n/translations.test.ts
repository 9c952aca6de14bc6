import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { compileCatalogue, readCatalogue } from '../../build/catalogues.ts'
import type { Catalogue, Text, Translation } from './catalogue.ts'
import { loadAllTranslations, t } from './t.ts'

const root = join(import.meta.dirname, '../../..')
/** Reads source files without tests, with `{n}` for interpolated values as in the catalogues. */
const readSources = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/\$\{\w+\}/g, '{n}'))
    .join('\n')

const readPart = (language: string, part: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, language, `${part}.json`), 'utf8'))

const english = readCatalogue('en')
const german = readCatalogue('de')
const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory())
/** English is in the code, so its catalogue has only a few texts. */
const translatedLanguages = folders.map(({ name }) => name).filter((language) => language !== 'en')

/** Texts that are the same for every number in English: abbreviated units, participles, positions in a list, status codes. */
const invariableTexts = [
  '{n} min ago',
  '{n} h ago',
  'in {n} min',
  'in {n} h',
  '{n} left',
  '{n} s left',
  '{n} min left',
  '{n} h left',
  'Opened {n}',
  'downloaded {n}',
  'uploaded {n}',
  '{list}, starting at {n}',
  'and {n} more',
  '{n} uploaded',
  '{n} failed',
  '{n} done',
  '{n} to choose again',
  '{n} paused',
  'The receiver responded with {n}.',
  'The receiver responded with {n}. Redirects are not followed.',
]

/**
 * The quotation marks of other languages. For French, also a missing or breaking space where a no-break space is required, except
 * in HTTP headers.
 */
const foreignMarks: Record<string, RegExp> = {
  de: /[”«»‘]/,
  fr: /[“”„‘]|(?<!\u00a0|Authorization|Resumable)[:»](?=[\s.,)]|$)|«[^\u00a0]|[^\u202f][;!?](?=\s|$)/,
  es: /[“”„‘]/,
  it: /[“”„‘]/,
  nl: /[„«»‘]/,
}

const getPlaceholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()

/** Returns what is wrong with a translation: lost or added placeholders, missing or needless plural forms. */
function findFaults(language: string, text: string, translation: Translation | undefined): string[] {
  if (translation === undefined) return [`${text}: not translated`]
  const forms = typeof translation === 'string' ? { other: translation } : translation
  const faults = Object.values(forms)
    .filter((form) => getPlaceholders(form) !== getPlaceholders(text))
    .map((form) => `${form}: the placeholders differ from ${text}`)
  if (typeof translation === 'string') {
    const needsForms = text.includes('{n}') && !invariableTexts.includes(text)
    return needsForms ? [...faults, `${text}: no plural forms`] : faults
  }
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const hasRightForms = Object.keys(forms).sort().join() === categories.toSorted().join()
  return hasRightForms ? faults : [...faults, `${text}: needs the plural forms ${categories.join(', ')}`]
}

const findAllFaults = (language: string, catalogue: Catalogue) =>
  Object.keys(german).flatMap((text) => findFaults(language, text, catalogue[text]))

it('has no translations of unused texts', () => {
  // Matches from every quotation mark, because the end of one literal can look like the start of another.
  const matches = readSources('{web,contract,server}/src/**/*.{ts,tsx}').matchAll(/(?=((['"`])(?:\\.|(?!\2)[^\\\n])+\2))/g)
  const literals = new Set(Array.from(matches, ([, literal]) => literal))
  const isUsed = (text: string) =>
    [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`, `\`${text}\``].some((quoted) => literals.has(quoted))
  expect(Object.keys(german).filter((text) => !isUsed(text))).toEqual([])
})

it('translates every error message, validation message and webhook message of the server', () => {
  const errorMessages: Text[] = Object.values(errors).map(({ message }) => message)
  const rules = readSources('{contract/src/{common,password}.ts,server/src/lib/{file-name,password/password-rules}.ts}')
  const validationMessages = [...rules.matchAll(/['`](This [^'`]+\.)['`]/g)]
    .map(([, sentence = '']) => sentence)
    .filter((sentence) => !/whole number|one of|NEPTUNE_/.test(sentence)) // only programs cause these
  const source = readSources('server/src/features/webhook/{post,webhook-queue.service,webhook.service}.ts')
  const webhookMessages = [...source.matchAll(/['`]([A-Z][^'`\n]+ [^'`\n]+\.)['`]/g)]
    .map(([, sentence = '']) => sentence)
    .map((sentence) => sentence.replace(/\(\$?\{[^}]+\}\)/, '({reason})')) // technical reasons are in brackets
  expect(validationMessages.length).toBeGreaterThan(12)
  expect(webhookMessages.length).toBeGreaterThan(14)
  expect([...errorMessages, ...validationMessages, ...webhookMessages].filter((message) => !(message in german))).toEqual([])
})

describe.each(translatedLanguages)('the catalogue of %s', (language) => {
  it('has the same texts as the German one, in the same order and the same files', () => {
    const readTexts = (language: string) => ['first', 'app'].map((part) => Object.keys(readPart(language, part)))
    expect(readTexts(language)).toEqual(readTexts('de'))
  })

  it('has the placeholders and plural forms that every text needs', () => {
    expect(findAllFaults(language, readCatalogue(language))).toEqual([])
  })

  it('uses typographic quotation marks and apostrophes', () => {
    const messages = ['first', 'app'].flatMap((part) => Object.values(readPart(language, part)))
    expect(messages.filter((message) => /["'`´]/.test(message))).toEqual([])
  })

  it('uses the quotation marks and the spaces of its language, including in emails', () => {
    const emails: Record<string, string> = JSON.parse(readFileSync(join(root, `server/src/mail/texts/${language}.json`), 'utf8'))
    const messages = [...['first', 'app'].flatMap((part) => Object.values(readPart(language, part))), ...Object.values(emails)]
    expect(messages.filter((message) => foreignMarks[language]?.test(message))).toEqual([])
  })
})

it('contains each German text in only one file', () => {
  expect(Object.keys(readPart('de', 'first')).filter((text) => text in readPart('de', 'app'))).toEqual([])
})

it('has English texts only where the key is not the text to show', () => {
  const faults = Object.entries(english).flatMap(([text, translation]) =>
    findFaults('en', text.replace(/ \(an? [a-z]+\)$/, ''), translation),
  )
  const isNeeded = (text: string) => typeof english[text] === 'object' || english[text] !== text
  expect([...faults, ...Object.keys(english).filter((text) => !(text in german) || !isNeeded(text))]).toEqual([])
  const texts = Object.keys(german).filter((text) => text.includes('{n}') && !(text in english))
  expect(texts.toSorted()).toEqual(invariableTexts.toSorted())
})

it('accepts the texts of emails with a complete ICU parser, not only with the server’s own one', () => {
  const files = globSync('server/src/mail/texts/*.json', { cwd: root })
  expect(files).toHaveLength(6)
  for (const file of files) {
    const messages: [string, string][] = Object.entries(JSON.parse(readFileSync(join(root, file), 'utf8')))
    const faults = messages.flatMap(([text, message]) => {
      const translation = compileCatalogue(JSON.stringify({ [text]: message }))[text]
      return findFaults(file.slice(-7, -5), text, translation).concat(/[#']/.test(message) ? [`${message}: has # or '`] : [])
    })
    expect(faults).toEqual([])
  }
})

it('chooses the plural form by the count', async () => {
  await loadAllTranslations()
  expect([0, 1, 2].map((n) => t('{n} uploads', { n }))).toEqual(['0 uploads', '1 upload', '2 uploads'])
})

describe('checking a catalogue', () => {
  const find = (language: string, text: string, message: string) =>
    findFaults(language, text, compileCatalogue(JSON.stringify({ [text]: message }))[text])

  it.each([
    ['a lost placeholder', 'de', 'Edit {name}', 'Bearbeiten'],
    ['a renamed placeholder', 'de', 'Edit {name}', '{Name} bearbeiten'],
    ['a placeholder that is lost in one plural form', 'nl', '{n} files', '{n, plural, one {een bestand} other {{n} bestanden}}'],
    ['lost plural forms', 'nl', '{n} files', '{n} bestanden'],
    ['a lost plural form', 'nl', '{n} files', '{n, plural, other {{n} bestanden}}'],
    ['a missing form for millions', 'fr', '{n} files', '{n, plural, one {{n} fichier} other {{n} fichiers}}'],
    ['a needless plural form', 'de', '{n} files', '{n, plural, one {# Datei} many {# Dateien} other {# Dateien}}'],
  ])('reports %s', (_, language, text, message) => {
    expect(find(language, text, message)).toHaveLength(1)
  })

  it.each([
    ['an unclosed brace', 'Edit {name'],
    ['plural forms without other', '{n, plural, one {1 file}}'],
    ['plural forms of another count', '{count, plural, one {# file} other {# files}}'],
    ['a format that the app doesn’t support', '{n, number, percent}'],
    ['a literal brace, which would look like a placeholder', "Edit '{'name'}'"],
  ])('rejects %s', (_, message) => {
    expect(() => compileCatalogue(JSON.stringify({ text: message }))).toThrow(`Invalid ICU message: ${message}`)
  })

  it('accepts plural forms within a sentence, if each has the placeholders', () => {
    expect(find('de', 'Delete {n} files?', '{n, plural, one {Datei} other {# Dateien}} löschen?')).toHaveLength(1)
    expect(find('de', 'Delete {n} files?', '{n, plural, one {# Datei} other {# Dateien}} löschen?')).toEqual([])
  })
})
