/** Human reaction time. A key pressed again this soon was meant for what the screen showed before. */
const reactionMs = 500

const pressEvents = ['mousedown', 'click', 'dblclick', 'keydown', 'input'] as const

/**
 * Watches clicks and key presses inside a dialog or menu. Call the returned function when it closes. It discards quick repeats of
 * the last press, such as the second click of a double click: they were meant for the dialog, not for what is beneath it.
 */
export function watchPresses(element: HTMLElement): () => void {
  let lastPress: MouseEvent | KeyboardEvent | undefined
  const onClick = (event: MouseEvent) => {
    if (event.detail > 0) lastPress = event // clicks with detail 0 come from a key press, which is recorded below
  }
  const onKey = (event: KeyboardEvent) => {
    lastPress = event
    // Holding Enter confirms a dialog only once, and never one that the same press has opened.
    if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) discard(event)
  }
  element.addEventListener('click', onClick, true)
  element.addEventListener('keydown', onKey, true)
  return () => {
    element.removeEventListener('click', onClick, true)
    element.removeEventListener('keydown', onKey, true)
    if (lastPress) discardRepeats(lastPress)
  }
}

/**
 * Discards repeats of a press: further clicks of a double click, and Enter or Space again within the reaction time. Compares the
 * time when a key was pressed, not when the event is handled, because a busy machine may queue events. Stops at any other input.
 */
function discardRepeats(lastPress: MouseEvent | KeyboardEvent): void {
  const deadline = performance.now() + reactionMs
  const onPress = (event: Event) => {
    if (isRepeat(event)) return discard(event)
    for (const name of pressEvents) window.removeEventListener(name, onPress, true)
  }
  const isRepeat = (event: Event) => {
    if (event instanceof MouseEvent) return lastPress instanceof MouseEvent && event.detail > 1
    const isSameKey = event instanceof KeyboardEvent && lastPress instanceof KeyboardEvent && event.key === lastPress.key
    return isSameKey && (event.key === 'Enter' || event.key === ' ') && (event.repeat || event.timeStamp <= deadline)
  }
  for (const name of pressEvents) window.addEventListener(name, onPress, true)
}

function discard(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
