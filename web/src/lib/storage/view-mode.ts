/** How the content of a directory is displayed. */
export type ViewMode = 'list' | 'tiles'

const yearSeconds = 365 * 24 * 60 * 60

export const getViewMode = (): ViewMode => (/(?:^|; )view=tiles/.test(document.cookie) ? 'tiles' : 'list')

/** Keeps the choice in a cookie, like the theme, because signing out clears the site’s storage. */
export function chooseViewMode(mode: ViewMode): void {
  const lifetimeSeconds = mode === 'list' ? 0 : yearSeconds
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers.
  document.cookie = `view=${mode}; path=/; max-age=${lifetimeSeconds}; samesite=lax`
}
