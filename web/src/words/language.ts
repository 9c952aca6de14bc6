export type Language = 'en' | 'de'

const languages: Language[] = ['en', 'de']
const year = 365 * 24 * 60 * 60

/** What somebody has chosen, or what their browser asks for first of what there is. */
function languageNow(): Language {
  const chosen = chosenLanguage()
  const wanted = chosen ? [chosen] : navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return wanted.map((tag) => languages.find((language) => language === tag)).find(Boolean) ?? 'en'
}

/** Undefined: as the browser has it. */
function chosenLanguage(): Language | undefined {
  const [, tag] = /(?:^|; )language=(\w\w)/.exec(document.cookie) ?? []
  return languages.find((language) => language === tag)
}

/** Kept in a cookie, as the theme is. The page begins anew: texts are said once, and many of them. */
export function chooseLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers.
  document.cookie = `language=${language}; path=/; max-age=${year}; samesite=lax`
  location.reload()
}

/** Never changes while the page is there. */
export const language: Language = typeof document === 'undefined' ? 'en' : languageNow()

/** What `Intl` takes. Browsers on bare systems also ask for `en-US@posix`, which it refuses. */
const plainTag = /^[a-z]{2}(-[a-z0-9]{2,8})*$/i

/** For dates and numbers: `de-CH` where the browser says so, and it is the language of the page. */
export const locale: string =
  (typeof navigator === 'undefined' ? [] : navigator.languages).find(
    (tag) => plainTag.test(tag) && tag.toLowerCase().startsWith(language),
  ) ?? { en: 'en-GB', de: 'de-DE' }[language]
