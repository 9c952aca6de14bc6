import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * When what has the focus leaves a list, nobody falls to the top of the page: its row keeps the focus while it is there, else the
 * nearest neighbour with something to press takes it over.
 */
export function useKeptFocus<List extends HTMLElement>() {
  const list = useRef<List>(null)
  const last = useRef<{ element: Element; item: HTMLElement; at: number }>(undefined)

  useEffect(() => {
    const watch = ({ target }: FocusEvent) => {
      const element = target as Element
      const items = itemsOf(list.current)
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
    const kept = item.isConnected ? (pressable(item) ?? focusable(item)) : nearest(itemsOf(list.current), at)
    const target = kept ?? document.getElementById('main')
    target?.focus()
  })
  return list
}

const itemsOf = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('tbody > tr, li') ?? [])]

const pressable = (item: HTMLElement) => item.querySelector<HTMLElement>('[data-opener], a, button, input') ?? undefined

/** Those that follow first, as they move up to where the focus was. */
const nearest = (items: HTMLElement[], at: number) =>
  [...items.slice(at), ...items.slice(0, at).reverse()].map(pressable).find((found) => found !== undefined)

function focusable(item: HTMLElement) {
  item.tabIndex = -1
  return item
}
