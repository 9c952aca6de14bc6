import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Rows of the tray come, go and change places while somebody works in it by keyboard. Whenever that takes the focus away,
 * it goes back to the same button, else to its row, else to the row that has its place now, else to the tray itself.
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
    document.addEventListener('pointerdown', forget, true) // whoever clicks elsewhere leaves on purpose
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

  // The last row took the tray along.
  useEffect(
    () => () => {
      if (last.current && document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true })
    },
    [],
  )
  return tray
}
