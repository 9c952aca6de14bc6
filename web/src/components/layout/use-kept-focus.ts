import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in a list when the focused element is removed: moves it to the element's row, or to the nearest row with a
 * control if the row is gone, too.
 */
export function useFocusRetention<List extends HTMLElement>() {
  const list = useRef<List>(null)
  const last = useRef<{ element: Element; item: HTMLElement; at: number }>(undefined)

  useEffect(() => {
    const watch = ({ target }: FocusEvent) => {
      const element = target as Element
      const items = getItems(list.current)
      const at = items.findIndex((item) => item.contains(element))
      const item = items[at]
      last.current = item && { element, item, at }
    }
    document.addEventListener('focusin', watch)
    return () => document.removeEventListener('focusin', watch)
  }, [])

  useLayoutEffect(() => {
    if (!last.current || last.current.element.isConnected || document.activeElement !== document.body) return
    const { item, at } = last.current
    const next = item.isConnected ? (findControl(item) ?? makeFocusable(item)) : findNearest(getItems(list.current), at)
    const target = next ?? document.getElementById('main')
    target?.focus()
  })
  return list
}

const getItems = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('tbody > tr, li') ?? [])]

const findControl = (item: HTMLElement) => item.querySelector<HTMLElement>('[data-opener], a, button, input') ?? undefined

/** Finds the nearest control. Following rows come first, because they move up to the old position. */
const findNearest = (items: HTMLElement[], at: number) =>
  [...items.slice(at), ...items.slice(0, at).reverse()].map(findControl).find((found) => found !== undefined)

function makeFocusable(item: HTMLElement) {
  item.tabIndex = -1
  return item
}
