const year = 365 * 24 * 60 * 60

/** There the key of commands is ⌘, and Control belongs to the text fields. */
export const isMac: boolean = typeof navigator !== 'undefined' && /Mac OS|iPhone|iPad/.test(navigator.userAgent)

/** What a key means, wherever one is. */
export type Meaning = 'find' | 'search' | 'keys'

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'isComposing' | 'defaultPrevented'
>

interface Circumstances {
  isMac: boolean
  /** Somebody writes. */
  isTyping: boolean
  /** A dialog is open, which keeps all else waiting. */
  hasDialog: boolean
  /** Whether keys without a modifier mean anything. */
  singleKeys: boolean
}

/** Shift is no matter for `/` and `?`: where they are on the keyboard, and whether they need it, differs. */
export function meaningOf(pressed: Pressed, { isMac, isTyping, hasDialog, singleKeys }: Circumstances): Meaning | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed
  if (pressed.repeat || pressed.isComposing || pressed.defaultPrevented || hasDialog || altKey) return undefined
  const isCommand = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  if (isCommand && !shiftKey && key.toLowerCase() === 'k') return 'find'
  if (ctrlKey || metaKey || isTyping || !singleKeys) return undefined
  return ({ '/': 'search', '?': 'keys' } as const)[key]
}

/** Whether `/` and `?` mean anything: whoever speaks to the computer, or slips, may not want them. */
export const hasSingleKeys = (): boolean => !/(?:^|; )keys=off/.test(document.cookie)

/** Kept in a cookie, as the theme is. */
export function setSingleKeys(on: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in older browsers.
  document.cookie = `keys=off; path=/; max-age=${on ? 0 : year}; samesite=lax`
}

/** Whether what is pressed there is written there. */
export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null
