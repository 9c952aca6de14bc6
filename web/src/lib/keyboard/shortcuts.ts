import { t } from '../../i18n/t.ts'

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

/** Returns whether a key press may act on the page: the focus isn't in a text field, and no dialog or menu is open. */
export const isForPage = (event: Event): boolean =>
  !event.defaultPrevented && !isTypingIn(event.target) && !document.querySelector('dialog:modal, [role=menu]')

/** The keys that act on the focused row of a list. */
export type RowShortcut = 'F2' | 'Delete'

/** Returns whether a key press is the given shortcut. On a Mac, ⌘⌫ deletes, because its keyboards have no Delete key. */
export function isRowShortcut(press: Omit<KeyPress, 'isComposing' | 'defaultPrevented'>, shortcut: RowShortcut): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = press
  if (repeat || ctrlKey || altKey || shiftKey) return false
  return metaKey ? isMac && shortcut === 'Delete' && key === 'Backspace' : key === shortcut
}

/** Returns the name of a shortcut as it is printed on the keys. */
export const formatShortcut = (shortcut: RowShortcut): string => (shortcut === 'Delete' ? (isMac ? '⌘⌫' : t('Del')) : shortcut)

/** Returns whether a key press is Control+Z, or ⌘Z on a Mac. */
export const isUndo = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): boolean =>
  key.toLowerCase() === 'z' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey
