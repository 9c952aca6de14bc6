import { useLayoutEffect, useRef } from 'react'
import { watchPresses } from '../form/watch-presses.ts'

/** Opens a modal dialog, focuses its first field, and returns the focus to the opener on close. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  // A layout effect runs before the effects of the content, which may move the focus or open popovers above the dialog.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const opener = document.activeElement
    const page = document.documentElement
    // The page does not scroll behind a dialog. Keeps the scrollbar's width, so that nothing moves.
    const { scrollbarGutter } = page.style // another dialog may already be open below this one
    page.style.scrollbarGutter = window.innerWidth > page.clientWidth ? 'stable' : ''
    element.showModal()
    focusWithin(element)
    const discardLatePresses = watchPresses(element)
    return () => {
      discardLatePresses()
      element.close()
      page.style.scrollbarGutter = scrollbarGutter
      const target = opener instanceof HTMLElement && opener.isConnected ? opener : document.getElementById('main')
      target?.focus()
    }
  }, [])
  return dialog
}

/** Focuses `lastFocus` if it is still in the dialog, else the first field, else the confirm button unless it is destructive. */
export function focusWithin(dialog: HTMLDialogElement, lastFocus: Element | null = null) {
  const previous = lastFocus instanceof HTMLElement && dialog.contains(lastFocus) && lastFocus !== dialog ? lastFocus : null
  const fieldSelector = '[data-fields] :is(input, select, textarea):not([readonly], [disabled], [type=hidden])'
  const next =
    previous ?? dialog.querySelector<HTMLElement>(fieldSelector) ?? dialog.querySelector<HTMLElement>('[data-initial-focus=true]')
  next?.focus()
}
