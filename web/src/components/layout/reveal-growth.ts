/**
 * Scrolls an element into view when it appears and whenever it grows, so that what someone has just opened is visible. Does nothing while
 * they type, because the field must not move. Use it as a ref.
 */
export function revealGrowth(element: HTMLElement | null) {
  if (!element) return undefined
  let height = 0
  const observer = new ResizeObserver(() => {
    const hasGrown = element.offsetHeight > height
    height = element.offsetHeight
    const isTyping = document.activeElement?.matches('input:not([type=radio], [type=checkbox]), textarea')
    if (hasGrown && !isTyping) element.scrollIntoView({ block: 'nearest' })
  })
  observer.observe(element)
  return () => observer.disconnect()
}
