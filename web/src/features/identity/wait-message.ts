/** How long to wait, in the largest unit that says it well. */
export function waitMessage(seconds: number): string {
  if (seconds <= 0) return 'You can try again now.'
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Too many tries. Try again in ${count} ${count === 1 ? unit : `${unit}s`}.`
}
