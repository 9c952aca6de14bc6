import { formatSize } from '../../lib/sizes.ts'
import { secondsLeft, type Totals, type Transfer } from './transfer.ts'

const waits = {
  network: 'Waiting for the network',
  server: 'Waiting for the server',
  session: 'Waiting for you to sign in',
}

/** The one line the tray folds to: `3 of 12 · 41 % · 2 min left`. */
export function summaryOf(totals: Totals): string {
  if (totals.done === totals.total) return totals.total === 1 ? 'Uploaded' : `${totals.total} uploaded`
  const count = `${totals.done} of ${totals.total}`
  const parts = totals.active + totals.paused > 0 ? [count, `${totals.percent} %`, stateOf(totals)] : [count]
  if (totals.fileless > 0) parts.push(totals.fileless === 1 ? '1 needs its file' : `${totals.fileless} need files`)
  if (totals.failed > 0) parts.push(`${totals.failed} failed`)
  return parts.filter(Boolean).join(' · ')
}

function stateOf({ active, waitsFor, secondsLeft }: Totals): string {
  if (active === 0) return 'Paused'
  return waitsFor ? waits[waitsFor] : timeLeft(secondsLeft)
}

/** What is said when nothing is under way any more. */
export function endWords({ done, failed, fileless, paused }: Totals): string {
  const counts = { done, failed, 'to be chosen again': fileless, paused }
  const said = Object.entries(counts).filter(([, count]) => count > 0)
  return `Uploads: ${said.map(([what, count]) => `${count} ${what}`).join(', ')}.`
}

/** What stands under a file's name. */
export function stateWords({ state, size, sent, speed, directory }: Transfer): string {
  switch (state.kind) {
    case 'queued':
      return `${formatSize(size)} · Next in line`
    case 'sending':
      return [portion(sent, size), timeLeft(secondsLeft(size - sent, speed))].filter(Boolean).join(' · ')
    case 'waiting':
      return waits[state.for]
    case 'paused':
      return `Paused · ${sent > 0 ? portion(sent, size) : formatSize(size)}`
    case 'fileless':
      return (
        state.problem ?? (state.canAsk ? 'Neptune may read the file again once you allow it.' : 'Choose the file again to go on.')
      )
    case 'failed':
      return state.message
    case 'done':
      return `${formatSize(size)} · In ${directory.name}`
  }
}

export const speedWords = (speed: number) => `${formatSize(Math.round(speed))}/s`

/** `12.4 of 40.0 MB`, and with both units where they differ. */
function portion(sent: number, size: number): string {
  const [amount = '', unit] = formatSize(sent).split(' ')
  const whole = formatSize(size)
  return `${whole.endsWith(` ${unit}`) ? amount : formatSize(sent)} of ${whole}`
}

/** Rounded so that it does not flicker; empty when nobody knows. */
export function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return ''
  if (seconds < 55) return `${Math.max(5, Math.ceil(seconds / 5) * 5)} s left`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min left`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h left` : `${hours} h ${minutes % 60} min left`
  return `${Math.round(hours / 24)} days left`
}
