import { useLayoutEffect, useRef } from 'react'
import { watchPresses } from '../form/late-presses.ts'

/** Opens a modal dialog, focuses its first field, and returns the focus to the opener on close. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  // A layout effect, so that it runs before effects inside, which may move the focus or open popovers above it.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const opener = document.activeElement
    const page = document.documentElement
    // The page does not scroll behind a dialog. Keeps the scrollbar's width, so that nothing moves.
    page.style.scrollbarGutter = window.innerWidth > page.clientWidth ? 'stable' : ''
    element.showModal()
    focusWithin(element)
    const discardLatePresses = watchPresses(element)
    return () => {
      discardLatePresses()
      element.close()
      page.style.scrollbarGutter = ''
      const target = opener instanceof HTMLElement && opener.isConnected ? opener : document.getElementById('main')
      target?.focus()
    }
  }, [])
  return dialog
}

/** Focuses the previous element if it still exists, else the first field, else the confirm button unless it is destructive. */
export function focusWithin(dialog: HTMLDialogElement, before: Element | null = null) {
  const previous = before instanceof HTMLElement && dialog.contains(before) && before !== dialog ? before : null
  const field = '[data-fields] :is(input, select, textarea):not([readonly], [disabled], [type=hidden])'
  const next =
    previous ?? dialog.querySelector<HTMLElement>(field) ?? dialog.querySelector<HTMLElement>('[data-initial-focus=true]')
  next?.focus()
}
