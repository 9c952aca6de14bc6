/** Nobody reacts to a change on the screen any faster. A key pressed again within this time was meant for what was there before. */
const reactionMs = 500

const pressEvents = ['mousedown', 'click', 'dblclick', 'keydown', 'input'] as const

/**
 * Watches presses inside a dialog or menu. Call the returned function when it closes: from then on, a repeat of the same press
 * is discarded if it came before anyone could see the closing. It was meant for the dialog, not for what is beneath it.
 */
export function watchPresses(element: HTMLElement): () => void {
  let last: MouseEvent | KeyboardEvent | undefined
  const onClick = (event: MouseEvent) => {
    if (event.detail > 0) last = event // a click without a count comes from a key, which was noted before
  }
  const onKey = (event: KeyboardEvent) => {
    last = event
    // A key that is held down confirms once, and never a dialog that it has just opened.
    if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) discard(event)
  }
  element.addEventListener('click', onClick, true)
  element.addEventListener('keydown', onKey, true)
  return () => {
    element.removeEventListener('click', onClick, true)
    element.removeEventListener('keydown', onKey, true)
    if (last) discardRepeats(last)
  }
}

/**
 * Discards repeats of a press: the further clicks of a double click, and the same key again before anyone could react. What counts is when a
 * key was pressed, not when it is handled: on a busy machine it may have been queued for long. Any other input ends it.
 */
function discardRepeats(pressed: MouseEvent | KeyboardEvent): void {
  const until = performance.now() + reactionMs
  const onPress = (event: Event) => {
    if (isRepeat(event)) return discard(event)
    for (const name of pressEvents) window.removeEventListener(name, onPress, true)
  }
  const isRepeat = (event: Event) => {
    if (event instanceof MouseEvent) return pressed instanceof MouseEvent && event.detail > 1
    const isSameKey = event instanceof KeyboardEvent && pressed instanceof KeyboardEvent && event.key === pressed.key
    return isSameKey && (event.key === 'Enter' || event.key === ' ') && (event.repeat || event.timeStamp <= until)
  }
  for (const name of pressEvents) window.addEventListener(name, onPress, true)
}

function discard(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
