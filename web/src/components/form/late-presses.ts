/** Human reaction time. A key pressed again within it was meant for what was on the screen before. */
const reactionMs = 500

const pressEvents = ['mousedown', 'click', 'dblclick', 'keydown', 'input'] as const

/**
 * Watches presses inside a dialog or menu. Call the returned function when it closes: it discards repeats of the last press that
 * came before anyone could see it close. They were meant for the dialog, not for what is beneath it.
 */
export function watchPresses(element: HTMLElement): () => void {
  let last: MouseEvent | KeyboardEvent | undefined
  const onClick = (event: MouseEvent) => {
    if (event.detail > 0) last = event // clicks with detail 0 come from a key press, which is recorded below
  }
  const onKey = (event: KeyboardEvent) => {
    last = event
    // A held key confirms once, and never a dialog that it has just opened.
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
 * Discards repeats of a press: further clicks of a double click, and the same key again within the reaction time. Uses the time of
 * the press, not of its handling, because a busy machine may queue events. Any other input ends this.
 */
function discardRepeats(pressed: MouseEvent | KeyboardEvent): void {
  const deadline = performance.now() + reactionMs
  const onPress = (event: Event) => {
    if (isRepeat(event)) return discard(event)
    for (const name of pressEvents) window.removeEventListener(name, onPress, true)
  }
  const isRepeat = (event: Event) => {
    if (event instanceof MouseEvent) return pressed instanceof MouseEvent && event.detail > 1
    const isSameKey = event instanceof KeyboardEvent && pressed instanceof KeyboardEvent && event.key === pressed.key
    return isSameKey && (event.key === 'Enter' || event.key === ' ') && (event.repeat || event.timeStamp <= deadline)
  }
  for (const name of pressEvents) window.addEventListener(name, onPress, true)
}

function discard(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
