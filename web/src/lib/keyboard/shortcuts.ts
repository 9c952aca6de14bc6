const yearSeconds = 365 * 24 * 60 * 60

/** On a Mac, shortcuts use ⌘ instead of Control. */
export const isMac: boolean = typeof navigator !== 'undefined' && /Mac OS|iPhone|iPad/.test(navigator.userAgent)

/**
 * The keyboard shortcuts available on every page. `find` opens the search dialog, `search` focuses the search field of the page,
 * `keys` lists all shortcuts.
 */
export type Shortcut = 'find' | 'search' | 'keys'

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'isComposing' | 'defaultPrevented'
>

interface KeyContext {
  isMac: boolean
  /** The focus is in a text field. */
  isTyping: boolean
  /** A modal dialog is open. */
  hasDialog: boolean
  /** Whether shortcuts without a modifier are turned on. */
  hasSingleKeys: boolean
}

/** Returns the shortcut of a key press. Ignores Shift for `/` and `?`, because keyboard layouts differ. */
export function getShortcut(press: KeyPress, { isMac, isTyping, hasDialog, hasSingleKeys }: KeyContext): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press
  if (press.repeat || press.isComposing || press.defaultPrevented || hasDialog || altKey) return undefined
  const hasCommandKey = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  if (hasCommandKey && !shiftKey && key.toLowerCase() === 'k') return 'find'
  if (ctrlKey || metaKey || isTyping || !hasSingleKeys) return undefined
  return ({ '/': 'search', '?': 'keys' } as const)[key]
}

/** Returns whether `/` and `?` are turned on. Users of speech input can turn them off (WCAG 2.1.4). */
export const hasSingleKeys = (): boolean => !/(?:^|; )keys=off/.test(document.cookie)

/** Stores the choice in a cookie, like the theme. */
export function setSingleKeys(isOn: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers.
  document.cookie = `keys=off; path=/; max-age=${isOn ? 0 : yearSeconds}; samesite=lax`
}

/** Returns whether key presses on this element enter text. */
export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null
