import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Restores the focus when the focused row of the tray moves or disappears: to the same button, or else to its row, the row now in its
 * place, or the tray itself.
 */
export function useTrayFocus() {
  const tray = useRef<HTMLElement>(null)
  const last = useRef<{ row: string | undefined; at: number; action: string | null }>(undefined)

  useEffect(() => {
    const forget = () => {
      last.current = undefined
    }
    const remember = ({ target }: FocusEvent) => {
      const element = target as Element
      const row = element.closest<HTMLElement>('[data-row]')
      last.current = tray.current?.contains(element)
        ? {
            row: row?.dataset['row'],
            at: Number(row?.getAttribute('aria-posinset')),
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
    if (!last.current || document.activeElement !== document.body) return
    const { row, at, action } = last.current
    const rows = row === undefined ? [] : [`[data-row="${row}"]`, `[aria-posinset="${at}"]`, `[aria-posinset="${at - 1}"]`]
    const wanted = [
      row && action ? `[data-row="${row}"] [data-action="${action}"]` : '',
      ...rows.map((place) => `${place} button`),
      '[data-fold]',
    ]
    const next = wanted.filter(Boolean).map((selector) => tray.current?.querySelector<HTMLElement>(selector))
    next.find(Boolean)?.focus({ preventScroll: true })
  })

  // The tray disappears with its last row.
  useEffect(
    () => () => {
      if (last.current && document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true })
    },
    [],
  )
  return tray
}
