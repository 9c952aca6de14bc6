import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Restores the focus when the focused row of the tray moves or disappears: to the same button, or else to its row, the row now in its
 * place, or the tray itself.
 */
export function useTrayFocus() {
  const tray = useRef<HTMLElement>(null)
  const lastFocus = useRef<{ row: string | undefined; position: number; action: string | null }>(undefined)

  useEffect(() => {
    const forget = () => {
      lastFocus.current = undefined
    }
    const remember = ({ target }: FocusEvent) => {
      const element = target as Element
      const row = element.closest<HTMLElement>('[data-row]')
      lastFocus.current = tray.current?.contains(element)
        ? {
            row: row?.dataset['row'],
            position: Number(row?.getAttribute('aria-posinset')),
            action: element.getAttribute('data-action'),
          }
        : undefined
    }
    document.addEventListener('pointerdown', forget, true) // a click elsewhere moves the focus deliberately
    document.addEventListener('focusin', remember)
    return () => {
      document.removeEventListener('pointerdown', forget, true)
      document.removeEventListener('focusin', remember)
    }
  }, [])

  useLayoutEffect(() => {
    if (!lastFocus.current || document.activeElement !== document.body) return
    const { row, position, action } = lastFocus.current
    const rows =
      row === undefined ? [] : [`[data-row="${row}"]`, `[aria-posinset="${position}"]`, `[aria-posinset="${position - 1}"]`]
    const selectors = [
      row && action ? `[data-row="${row}"] [data-action="${action}"]` : '',
      ...rows.map((selector) => `${selector} button`),
      '[data-collapse-toggle]',
    ]
    const candidates = selectors.filter(Boolean).map((selector) => tray.current?.querySelector<HTMLElement>(selector))
    candidates.find(Boolean)?.focus({ preventScroll: true })
  })

  // The tray disappears with its last row: the focus moves to the page.
  useEffect(
    () => () => {
      if (lastFocus.current && document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true })
    },
    [],
  )
  return tray
}
