let isWorkUnfinished = false

/** Sets whether leaving the page would interrupt work, such as an upload. If so, the browser asks before it closes the page. */
export function setUnfinishedWork(isUnfinished: boolean): void {
  isWorkUnfinished = isUnfinished
  if (isUnfinished) window.addEventListener('beforeunload', askBeforeClosing)
  else window.removeEventListener('beforeunload', askBeforeClosing)
}

/** Returns whether to ask before signing out. */
export const hasUnfinishedWork = (): boolean => isWorkUnfinished

const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault()
