import { useLayoutEffect, useRef } from 'react'
import { watchPresses } from './late-presses.ts'

/** Shows the dialog above everything, focuses what comes first, and gives focus back to whatever opened it. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before any effect inside it, which may move the focus or must come after it in the top layer.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const opener = document.activeElement
    const page = document.documentElement
    // The page stops scrolling behind a dialog; it keeps the scrollbar's room, so that nothing jumps.
    page.style.scrollbarGutter = window.innerWidth > page.clientWidth ? 'stable' : ''
    element.showModal()
    focusWithin(element)
    const discardLatePresses = watchPresses(element)
    return () => {
      discardLatePresses()
      element.close()
      page.style.scrollbarGutter = ''
      const back = opener instanceof HTMLElement && opener.isConnected ? opener : document.getElementById('main')
      back?.focus()
    }
  }, [])
  return dialog
}

/** Back where the person was, if that is still there; else to the first field; else to the verb, unless it destroys. */
export function focusWithin(dialog: HTMLDialogElement, before: Element | null = null) {
  const was = before instanceof HTMLElement && dialog.contains(before) && before !== dialog ? before : null
  const field = '[data-fields] :is(input, select, textarea):not([readonly], [disabled], [type=hidden])'
  const next = was ?? dialog.querySelector<HTMLElement>(field) ?? dialog.querySelector<HTMLElement>('[data-first=true]')
  next?.focus()
}
