export type Theme = 'system' | 'light' | 'dark'

const yearSeconds = 365 * 24 * 60 * 60

/** Returns the current theme, which public/theme.js sets from the cookie before the first paint. */
export function getTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies a theme. Keeps it in a cookie, because signing out clears the site's storage. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  const lifetimeSeconds = theme === 'system' ? 0 : yearSeconds
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers.
  document.cookie = `theme=${theme}; path=/; max-age=${lifetimeSeconds}; samesite=lax`
}
