let isUnfinished = false

/** Something is under way that leaving would interrupt: the browser asks before it closes the page, and so do we. */
export function setUnfinished(is: boolean): void {
  isUnfinished = is
  if (is) window.addEventListener('beforeunload', warn)
  else window.removeEventListener('beforeunload', warn)
}

export const hasUnfinished = (): boolean => isUnfinished

const warn = (event: BeforeUnloadEvent) => event.preventDefault()
