import { type Language, languages } from '@neptune/contract'

/** The name of each language in that language, so that someone who can’t read the page finds theirs. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
}

const yearSeconds = 365 * 24 * 60 * 60

/** The browser's languages, the preferred one first. */
const browserTags: readonly string[] = typeof navigator === 'undefined' ? [] : navigator.languages

/** Returns the language of a tag such as `de-CH`. */
const getLanguage = (tag: string) => tag.toLowerCase().split('-')[0]

/** Returns the language of the cookie, if one was chosen. */
function readChosenLanguage(): Language | undefined {
  const [, tag] = /(?:^|; )language=(\w+)/.exec(document.cookie) ?? []
  return languages.find((language) => language === tag)
}

/** Returns the language of the organisation, which is part of the brand in the page (lib/brand.ts). */
function readOrganisationLanguage(): Language | undefined {
  const [, tag] = /"language":"(\w+)"/.exec(document.getElementById('brand')?.textContent ?? '') ?? []
  return languages.find((language) => language === tag)
}

/** Returns the chosen language, or the browser's preferred one among those available, or that of the organisation. */
const detectLanguage = (): Language =>
  readChosenLanguage() ??
  browserTags.flatMap((tag) => languages.find((language) => language === getLanguage(tag)) ?? [])[0] ??
  readOrganisationLanguage() ??
  'en'

/** The language of the page. It stays the same until the page reloads. */
export const language: Language = typeof document === 'undefined' ? 'en' : detectLanguage()

/**
 * Stores the language in a cookie. If it isn't the page's, reloads the page, because texts are translated only when rendered, and
 * returns true.
 */
export function chooseLanguage(chosen: Language): boolean {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers.
  document.cookie = `language=${chosen}; path=/; max-age=${yearSeconds}; samesite=lax`
  // If the browser blocks cookies, reloading would change nothing.
  const isReloading = chosen !== language && readChosenLanguage() === chosen
  if (isReloading) location.reload()
  return isReloading
}

/** Tags that `Intl` accepts. Some systems report `en-US@posix`, which it rejects. */
const validTag = /^[a-z]{2}(-[a-z0-9]{2,8})*$/i

/** The locale for dates and numbers: the browser's variant of the page's language, such as `de-CH`. */
export const locale: string =
  browserTags.find((tag) => validTag.test(tag) && getLanguage(tag) === language) ?? (language === 'en' ? 'en-GB' : language)
