import { formatNumber, type Text, t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import type { PickedFile } from './files/picked-files.ts'
import type { Obstacle, UploadJob, UploadTarget } from './state/upload-job.ts'
import { estimateSecondsLeft } from './state/upload-speed.ts'
import type { Totals } from './state/upload-totals.ts'

const waitTexts = {
  network: 'Waiting for the network',
  server: 'Waiting for the server',
  session: 'Waiting for you to sign in',
} as const satisfies Record<Obstacle, Text>

/** Returns the headline of the tray: `3 of 12 · 41 % · 2 min left`. */
export function summarizeTotals(totals: Totals): string {
  if (totals.done === totals.total) return t('{n} uploaded', { n: totals.total })
  const doneOfTotal = t('{part} of {whole}', { part: formatNumber(totals.done), whole: formatNumber(totals.total) })
  const parts = totals.active + totals.paused > 0 ? [doneOfTotal, `${totals.percent} %`, describeProgress(totals)] : [doneOfTotal]
  if (totals.fileless > 0) parts.push(t('{n} need files', { n: totals.fileless }))
  if (totals.failed > 0) parts.push(t('{n} failed', { n: totals.failed }))
  return parts.filter(Boolean).join(' · ')
}

function describeProgress({ active, waitsFor, secondsLeft }: Totals): string {
  if (active === 0) return t('Paused')
  return waitsFor ? t(waitTexts[waitsFor]) : formatTimeLeft(secondsLeft)
}

/** Returns the announcement for newly added files. */
export function describeStart(files: readonly PickedFile[], { name: directory }: UploadTarget): string {
  const [only] = files
  if (only && files.length === 1) return t('Uploading {name} to {directory}.', { name: only.file.name, directory })
  return t('Uploading {n} files to {directory}.', { n: files.length, directory })
}

/** Returns the announcement for the moment when no upload is active. */
export function describeEnd({ done, failed, fileless, paused }: Totals): string {
  const parts = [
    done > 0 && t('{n} done', { n: done }),
    failed > 0 && t('{n} failed', { n: failed }),
    fileless > 0 && t('{n} to be chosen again', { n: fileless }),
    paused > 0 && t('{n} paused', { n: paused }),
  ]
  return t('Uploads: {list}.', { list: parts.filter(Boolean).join(', ') })
}

/** Returns the line below a file’s name. */
export function describeJob({ state, size, sent, speed, directory, lastFailure }: UploadJob): string {
  switch (state.kind) {
    case 'queued':
      return t('{size} · Queued', { size: formatSize(size) })
    case 'sending':
      return [formatPortion(sent, size), formatTimeLeft(estimateSecondsLeft(size - sent, speed))].filter(Boolean).join(' · ')
    case 'waiting':
      return t(waitTexts[state.for])
    case 'paused':
      return t('Paused · {size}', { size: sent > 0 ? formatPortion(sent, size) : formatSize(size) })
    case 'fileless':
      return state.problem ?? [lastFailure, describeNextStep(state)].filter(Boolean).join(' ')
    case 'failed':
      return state.message
    case 'canceled':
      return ''
    case 'done':
      return t('{size} · In {directory}', { size: formatSize(size), directory: directory.name })
  }
}

const describeNextStep = ({ canAsk }: { canAsk: boolean }) =>
  canAsk ? t('Allow Neptune to read the file again to continue.') : t('Choose the file again to continue.')

export const formatSpeed = (speed: number) => `${formatSize(Math.round(speed))}/s`

/** Formats `12.4 of 40.0 MB`, with both units if they differ. */
function formatPortion(sent: number, size: number): string {
  const [amount = '', unit] = formatSize(sent).split(' ')
  const whole = formatSize(size)
  return t('{part} of {whole}', { part: whole.endsWith(` ${unit}`) ? amount : formatSize(sent), whole })
}

/** Formats the time left, rounded so that it doesn’t flicker. Empty if unknown. */
export function formatTimeLeft(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return ''
  if (seconds < 55) return t('{n} s left', { n: Math.max(5, Math.ceil(seconds / 5) * 5) })
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return t('{n} min left', { n: minutes })
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return t('{n} days left', { n: Math.round(hours / 24) })
  const restMinutes = minutes % 60
  return restMinutes === 0
    ? t('{n} h left', { n: hours })
    : t('{hours} h {minutes} min left', { hours: formatNumber(hours), minutes: formatNumber(restMinutes) })
}
