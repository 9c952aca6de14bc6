/** The longest that a double click takes. People do not react to a change on the screen any faster. */
const reactionMs = 500

/** How far apart the clicks of one double click may be, in pixels. */
const reach = 16

const pointerEvents = ['pointerdown', 'mousedown', 'click', 'dblclick'] as const

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
 * Discards repeats of a press. What counts is when a repeat was made, not when it is handled: on a busy machine it may have
 * been queued for long.
 */
function discardRepeats(pressed: MouseEvent | KeyboardEvent): void {
  const until = performance.now() + reactionMs
  const stop = () => {
    for (const name of pointerEvents) window.removeEventListener(name, onPointer, true)
    window.removeEventListener('keydown', onKey, true)
  }
  const onPointer = (event: MouseEvent) => {
    if (event.timeStamp > until) return stop()
    if (pressed instanceof MouseEvent && isNear(event, pressed)) discard(event)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.timeStamp > until && !event.repeat) return stop()
    if (!(pressed instanceof KeyboardEvent) || event.key !== pressed.key) return stop()
    if (event.key === 'Enter' || event.key === ' ') discard(event)
  }
  for (const name of pointerEvents) window.addEventListener(name, onPointer, true)
  window.addEventListener('keydown', onKey, true)
}

const isNear = (a: MouseEvent, b: MouseEvent) =>
  Math.abs(a.clientX - b.clientX) <= reach && Math.abs(a.clientY - b.clientY) <= reach

function discard(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
