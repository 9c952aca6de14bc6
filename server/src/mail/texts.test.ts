import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { createLocalizer } from './localizer.ts'
import { type ParsedMessage, parseMessage } from './parse-message.ts'

const readTexts = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `texts/${language}.json`), 'utf8'))

const translated = languages.filter((language) => language !== 'en')
const texts = Object.keys(readTexts('de'))
const getPlaceholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()

/** Returns what is wrong with a translation: lost or added placeholders, missing or needless plural forms. */
function findFaults(language: string, text: string, message: ParsedMessage | undefined): string[] {
  if (message === undefined) return [`${text}: not translated`]
  const forms = typeof message === 'string' ? { other: message } : message
  const faults = Object.values(forms)
    .filter((form) => getPlaceholders(form) !== getPlaceholders(text))
    .map((form) => `${form}: the placeholders differ from ${text}`)
  const categories = text.includes('{n}') ? new Intl.PluralRules(language).resolvedOptions().pluralCategories : ['other']
  const hasRightForms = Object.keys(forms).sort().join() === categories.toSorted().join()
  return hasRightForms ? faults : [...faults, `${text}: needs the plural forms ${categories.join(', ')}`]
}

describe.each(translated)('the texts in %s', (language) => {
  const translations = readTexts(language)

  it('are complete, with the same placeholders and all plural forms', () => {
    expect(Object.keys(translations)).toEqual(texts)
    const faults = Object.entries(translations).flatMap(([text, message]) => findFaults(language, text, parseMessage(message)))
    expect(faults).toEqual([])
  })

  it('have typographic quotation marks and apostrophes', () => {
    expect(Object.values(translations).filter((message) => /["'`´]/.test(message))).toEqual([])
  })
})

it('has English texts only for plural forms', () => {
  const english = Object.entries(readTexts('en'))
  expect(english.map(([text]) => text)).toEqual(texts.filter((text) => text.includes('{n}')))
  expect(english.flatMap(([text, message]) => findFaults('en', text, parseMessage(message)))).toEqual([])
})

it('uses every text', () => {
  const sources = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => !file.includes('test'))
  const code = sources.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
  const calls = code.replaceAll(/t\(\s+'/g, "t('") // a long text is on a line of its own
  expect(texts.filter((text) => !calls.includes(`t('${text}'`))).toEqual([])
})

describe('the validation of texts', () => {
  it.each([
    ['a lost placeholder', 'de', 'Hi {name},', 'Guten Tag!'],
    ['a renamed placeholder', 'de', 'Hi {name},', 'Guten Tag {Name}!'],
    ['lost plural forms', 'nl', '{n} files', '{n} bestanden'],
    ['a lost plural form', 'nl', '{n} files', '{n, plural, other {{n} bestanden}}'],
    ['a missing form for millions', 'fr', '{n} files', '{n, plural, one {{n} fichier} other {{n} fichiers}}'],
    ['a placeholder that is lost in one plural form', 'nl', '{n} files', '{n, plural, one {een bestand} other {{n} bestanden}}'],
    ['a plural of something that is not counted', 'de', 'Files', '{n, plural, one {Datei} other {Dateien}}'],
  ])('reports %s', (_, language, text, message) => {
    expect(findFaults(language, text, parseMessage(message))).not.toEqual([])
  })

  it.each([
    ['an unclosed brace', 'Hi {name'],
    ['plural forms without other', '{n, plural, one {1 file}}'],
    ['plural forms of another count', '{count, plural, one {{count} file} other {{count} files}}'],
    ['two plurals', '{n, plural, one {a} other {b}}{n, plural, one {a} other {b}}'],
    ['a format', '{n, number, percent}'],
    ['an escape character', "Hi '{name}'"],
    ['a number sign, which stands for the count', '{n, plural, one {# file} other {# files}}'],
  ])('rejects %s', (_, message) => {
    expect(() => parseMessage(message)).toThrow()
  })
})

it('accepts plural forms within a sentence', () => {
  expect(parseMessage('Delete {n, plural, one {{n} file} other {{n} files}} of {name}?')).toEqual({
    one: 'Delete {n} file of {name}?',
    other: 'Delete {n} files of {name}?',
  })
})

describe('localizer', () => {
  const create = (language: (typeof languages)[number], timeZone = 'Europe/Berlin') =>
    createLocalizer({ language, timeZone, organisation: 'Keller & Partner' })

  it.each([
    ['en', '18 November 2026, 14:05 (Central European Time)', '1.4 GB', '85%'],
    ['de', '18. November 2026, 14:05 (Mitteleuropäische Zeit)', '1,4 GB', '85 %'],
    ['fr', '18 novembre 2026, 14:05 (heure d’Europe centrale)', '1,4 Go', '85 %'],
    ['es', '18 de noviembre de 2026, 14:05 (hora de Europa central)', '1,4 GB', '85 %'],
    ['it', '18 novembre 2026, 14:05 (Ora dell’Europa centrale)', '1,4 GB', '85%'],
    ['nl', '18 november 2026, 14:05 (Midden-Europese tijd)', '1,4 GB', '85%'],
  ] as const)('formats times, sizes and percentages in %s', (language, time, size, percent) => {
    const localizer = create(language)
    expect(localizer.formatTime('2026-11-18T13:05:00.000Z')).toBe(time)
    expect(localizer.formatSize(1_400_000_000)).toBe(size)
    expect(localizer.formatPercent(85).replaceAll(/\s/g, ' ')).toBe(percent)
  })

  it('names time zones that have no common name, and is right in summer', () => {
    expect(create('en', 'UTC').formatTime('2026-11-18T13:05:00.000Z')).toBe(
      '18 November 2026, 13:05 (Coordinated Universal Time)',
    )
    expect(create('en').formatTime('2026-07-18T13:05:00.000Z')).toBe('18 July 2026, 15:05 (Central European Time)')
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [999_949, '999.9 KB'],
    [999_950, '1 MB'],
    [2.5e15, '2.5 PB'],
  ])('formats %s bytes as %s', (bytes, size) => {
    expect(create('en').formatSize(bytes)).toBe(size)
  })

  it('chooses the plural form by the count, and doesn’t fill placeholders in values', () => {
    const { t } = create('en')
    expect([1, 2, 1200].map((n) => t('{n} new files in {link}', { n, link: '{n}' }))).toEqual([
      '1 new file in {n}',
      '2 new files in {n}',
      '1,200 new files in {n}',
    ])
  })
})
