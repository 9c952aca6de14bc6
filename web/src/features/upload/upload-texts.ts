import { formatNumber, type Text, t } from '../../i18n/t.ts'
import { formatAmount, formatSize } from '../../lib/sizes.ts'
import type { Obstacle, UploadJob, UploadTarget } from './state/upload-job.ts'
import { estimateSecondsLeft } from './state/upload-speed.ts'
import type { Totals } from './state/upload-totals.ts'
import type { UploadRequest } from './trees/plan-tree.ts'

const waitTexts = {
  network: 'Waiting for the network',
  server: 'Waiting for the server',
  session: 'Waiting for you to sign in',
} as const satisfies Record<Obstacle, Text>

/** Returns the headline of the tray: `3 of 12 · 41 % · 2 min left`. */
export function summarizeTotals(totals: Totals): string {
  if (totals.left === 0) return totals.total > 0 ? t('{n} uploaded', { n: totals.total }) : t('Folders created')
  const doneOfTotal = t('{part} of {whole}', { part: formatNumber(totals.done), whole: formatNumber(totals.total) })
  const parts = totals.active + totals.paused > 0 ? [doneOfTotal, `${totals.percent} %`, describeProgress(totals)] : [doneOfTotal]
  if (totals.fileless > 0) parts.push(t('{n} to choose again', { n: totals.fileless }))
  if (totals.failed > 0) parts.push(t('{n} failed', { n: totals.failed }))
  return parts.filter(Boolean).join(' · ')
}

function describeProgress({ active, waitsFor, secondsLeft }: Totals): string {
  if (active === 0) return t('Paused')
  return waitsFor ? t(waitTexts[waitsFor]) : formatTimeLeft(secondsLeft)
}

/** Returns the announcement for newly added files. */
export function describeStart({ files }: Pick<UploadRequest, 'files'>, { name: directory }: UploadTarget): string {
  const [only] = files
  if (only && files.length === 1) return t('Uploading {name} to {directory}.', { name: only.path, directory })
  return t('Uploading {n} files to {directory}.', { n: files.length, directory })
}

/** Returns the announcement for the moment when no upload is active. */
export function describeEnd({ done, failed, fileless, paused }: Totals): string {
  const parts = [
    done > 0 && t('{n} done', { n: done }),
    failed > 0 && t('{n} failed', { n: failed }),
    fileless > 0 && t('{n} to choose again', { n: fileless }),
    paused > 0 && t('{n} paused', { n: paused }),
  ]
  return t('Uploads: {list}.', { list: parts.filter(Boolean).join(', ') })
}

/** Returns the line below a file’s name. */
export function describeJob({ state, size, sent, speed, directory, folder, kind, conflict, lastFailure }: UploadJob): string {
  switch (state.kind) {
    case 'queued':
      return kind === 'folder' ? t('Queued') : t('{size} · Queued', { size: formatSize(size) })
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
    case 'done': {
      if (kind === 'folder') return t('Folder created')
      const values = { size: formatSize(size), directory: folder ?? directory.name }
      return conflict === 'replace' ? t('{size} · New version in {directory}', values) : t('{size} · In {directory}', values)
    }
  }
}

/** Returns the line below a folder’s name: `212 of 1,000 · 3.1 of 40.0 MB`. */
export function describeGroup({ jobs, totals }: { jobs: readonly UploadJob[]; totals: Totals }): string {
  const { total, done, left, failed, fileless, askable, active, paused } = totals
  const [first] = jobs
  if (left === 0)
    return total === 0
      ? t('Folder created')
      : t('{amount} · In {directory}', { amount: formatAmount(total, totals.bytes), directory: first?.directory.name ?? '' })
  const parts = [t('{part} of {whole}', { part: formatNumber(done), whole: formatNumber(total) })]
  if (failed > 0) parts.push(t('{n} failed', { n: failed }))
  if (active === 0 && fileless > 0) parts.push(describeMissingFolder(jobs, askable > 0))
  else if (active === 0 && paused > 0) parts.push(t('Paused'))
  else if (active > 0) parts.push(totals.waitsFor ? t(waitTexts[totals.waitsFor]) : formatPortion(totals.sent, totals.bytes))
  else if (failed > 0) parts.push(...listReasons(jobs))
  return parts.join(' · ')
}

/** Says what to do about files that the page can’t read, or why the chosen folder doesn’t match. */
function describeMissingFolder(jobs: readonly UploadJob[], canAsk: boolean): string {
  if (canAsk) return t('Allow Neptune to read the folder again to continue.')
  const problem = jobs.map(({ state }) => state.kind === 'fileless' && state.problem).find(Boolean)
  return problem || t('Choose the folder again to continue.')
}

/** Returns the reason why files failed, if it is the same for all of them. Otherwise each row has its own. */
function listReasons(jobs: readonly UploadJob[]): string[] {
  const reasons = new Set(jobs.flatMap(({ state }) => (state.kind === 'failed' ? [state.message] : [])))
  return reasons.size === 1 ? [...reasons] : []
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
