import { afterEach, describe, expect, it, vi } from 'vitest'

/** Loads the modules as in a browser with these languages and this cookie, on the page of an organisation with this brand. */
async function loadIn(languages: string[], cookie = '', brand?: object) {
  vi.resetModules()
  vi.stubGlobal('navigator', { languages })
  const getElementById = () => brand && { textContent: JSON.stringify(brand) }
  vi.stubGlobal('document', { cookie, getElementById, documentElement: { lang: 'en' } })
  const [{ language, locale }, { loadAllTranslations, t, toInlineLabel }] = await Promise.all([
    import('./language.ts'),
    import('./t.ts'),
  ])
  await loadAllTranslations()
  return { language, locale, t, toInlineLabel }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

describe('the language of the page', () => {
  it.each([
    [['fr-CA', 'en'], '', 'fr', 'fr-CA'],
    [['pl-PL', 'nl', 'de'], '', 'nl', 'nl'],
    [['ES'], '', 'es', 'ES'],
    [['pl-PL'], '', 'en', 'en-GB'],
    [[], '', 'en', 'en-GB'],
    [['en-US@posix'], '', 'en', 'en-GB'],
    [['est-EE', 'den'], '', 'en', 'en-GB'],
    [['en-US', 'de-CH'], 'theme=dark; language=de', 'de', 'de-CH'],
    [['en-US'], 'language=it; theme=dark', 'it', 'it'],
    [['fr-FR'], 'language=xx', 'fr', 'fr-FR'],
    [['fr-FR'], 'old_language=de', 'fr', 'fr-FR'],
  ])('for a browser with %j and the cookie “%s” is %s, with the formats of %s', async (languages, cookie, language, locale) => {
    expect(await loadIn(languages, cookie)).toMatchObject({ language, locale })
  })

  it('falls back to the organisation’s language if none of the browser’s languages is available', async () => {
    const brand = { name: 'Say "language":"it"', language: 'de' }
    expect(await loadIn(['pl-PL'], '', brand)).toMatchObject({ language: 'de', locale: 'de' })
    expect(await loadIn(['pl-PL', 'fr-CH'], '', brand)).toMatchObject({ language: 'fr' })
    expect(await loadIn(['pl-PL'], 'language=nl', brand)).toMatchObject({ language: 'nl' })
    expect(await loadIn(['pl-PL'], '', { ...brand, language: 'xx' })).toMatchObject({ language: 'en' })
  })
})

it('chooses the plural form by the rules of the language', async () => {
  const count = async (language: string) => {
    const { t } = await loadIn([language])
    return [0, 1, 2, 1_000_000].map((n) => t('{n} downloads', { n }).replaceAll(/\s/g, ' '))
  }
  expect(await count('en')).toEqual(['0 downloads', '1 download', '2 downloads', '1,000,000 downloads'])
  expect(await count('de')).toEqual(['0 Downloads', '1 Download', '2 Downloads', '1.000.000 Downloads'])
  expect(await count('fr')).toEqual([
    '0 téléchargement',
    '1 téléchargement',
    '2 téléchargements',
    expect.stringMatching(/^1 000 000 .*téléchargements$/),
  ])
})

it.each([
  ['en', 'access code'],
  ['de', 'Zugangscode'],
  ['fr', 'code d’accès'],
  ['es', 'código de acceso'],
  ['it', 'codice di accesso'],
  ['nl', 'Toegangscode'],
])('writes labels within other labels as is usual in %s', async (language, label) => {
  const { t, toInlineLabel } = await loadIn([language])
  expect(toInlineLabel(t('Access code'))).toBe(label)
  expect(toInlineLabel('URL')).toBe('URL')
})
