export type Language = 'en' | 'de'

const languages: Language[] = ['en', 'de']
const yearSeconds = 365 * 24 * 60 * 60

/** Returns the chosen language, or the browser's preferred one among those available. */
function detectLanguage(): Language {
  const chosen = readLanguageCookie()
  const preferred = chosen ? [chosen] : navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return preferred.map((tag) => languages.find((language) => language === tag)).find(Boolean) ?? 'en'
}

/** Returns the language from the cookie, if one was chosen. */
function readLanguageCookie(): Language | undefined {
  const [, tag] = /(?:^|; )language=(\w\w)/.exec(document.cookie) ?? []
  return languages.find((language) => language === tag)
}

/** Stores the language in a cookie and reloads the page, because texts are translated only when rendered. */
export function chooseLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers.
  document.cookie = `language=${language}; path=/; max-age=${yearSeconds}; samesite=lax`
  location.reload()
}

/** The language of the page. It stays the same until the page reloads. */
export const language: Language = typeof document === 'undefined' ? 'en' : detectLanguage()

/** Tags that `Intl` accepts. Some systems report `en-US@posix`, which it rejects. */
const validTag = /^[a-z]{2}(-[a-z0-9]{2,8})*$/i

/** The locale for dates and numbers: the browser's variant of the page's language, such as `de-CH`. */
export const locale: string =
  (typeof navigator === 'undefined' ? [] : navigator.languages).find(
    (tag) => validTag.test(tag) && tag.toLowerCase().startsWith(language),
  ) ?? { en: 'en-GB', de: 'de-DE' }[language]
