let isUnfinished = false

/** Sets whether leaving would interrupt something. The browser then asks before it closes the page, and so does the app. */
export function setUnfinished(value: boolean): void {
  isUnfinished = value
  if (value) window.addEventListener('beforeunload', warn)
  else window.removeEventListener('beforeunload', warn)
}

export const hasUnfinished = (): boolean => isUnfinished

const warn = (event: BeforeUnloadEvent) => event.preventDefault()
