/** A double click takes at most so long, and people do not react to what they see any faster. */
const reactionMs = 500

/** How far apart the clicks of one double click may be, in pixels. */
const reach = 16

const pointerEvents = ['pointerdown', 'mousedown', 'click', 'dblclick'] as const

/**
 * Watches what is pressed inside a dialog or menu. The function it returns is called when that closes: from then on the same press,
 * repeated before anybody could see the closing, is discarded. It was meant for what is gone, not for what lies beneath.
 */
export function watchPresses(element: HTMLElement): () => void {
  let last: MouseEvent | KeyboardEvent | undefined
  const onClick = (event: MouseEvent) => {
    if (event.detail > 0) last = event // a click without a count comes from a key, which was noted before
  }
  const onKey = (event: KeyboardEvent) => {
    last = event
    // A key that is held down confirms once; and not at all what it has just opened.
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

/** By when a press was made, not by when it is handled: on a busy machine it may have been queued for long. */
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
