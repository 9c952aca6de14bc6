import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in a list when the focused element is removed: moves it to the element's row, or to the nearest row with a
 * control if the row is gone, too.
 */
export function useFocusRetention<List extends HTMLElement>() {
  const list = useRef<List>(null)
  const lastFocus = useRef<{ element: Element; item: HTMLElement; index: number }>(undefined)

  useEffect(() => {
    const rememberFocus = ({ target }: FocusEvent) => {
      const element = target as Element
      const items = getItems(list.current)
      const index = items.findIndex((item) => item.contains(element))
      const item = items[index]
      lastFocus.current = item && { element, item, index }
    }
    document.addEventListener('focusin', rememberFocus)
    return () => document.removeEventListener('focusin', rememberFocus)
  }, [])

  useLayoutEffect(() => {
    if (!lastFocus.current || lastFocus.current.element.isConnected || document.activeElement !== document.body) return
    const { item, index } = lastFocus.current
    const next = item.isConnected ? (findControl(item) ?? makeFocusable(item)) : findNearestControl(getItems(list.current), index)
    const target = next ?? document.getElementById('main')
    target?.focus()
  })
  return list
}

const getItems = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('tbody > tr, li') ?? [])]

/** Finds the control that opens the item, otherwise its first control, such as a checkbox. */
const findControl = (item: HTMLElement) =>
  item.querySelector<HTMLElement>('[data-opener]') ?? item.querySelector<HTMLElement>('a, button, input') ?? undefined

/** Finds the nearest control. Following rows come first, because they move up to the old position. */
const findNearestControl = (items: HTMLElement[], index: number) =>
  [...items.slice(index), ...items.slice(0, index).reverse()].map(findControl).find((control) => control !== undefined)

function makeFocusable(item: HTMLElement) {
  item.tabIndex = -1
  return item
}
