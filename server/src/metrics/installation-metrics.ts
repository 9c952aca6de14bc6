import { MailState } from '@neptune/contract'
import { ping } from '../db/database.ts'
import { queryMetrics } from '../db/metrics-queries.ts'
import type { Deps } from '../deps.ts'
import { createSingleValue, type Metric } from './metric.ts'

/** How long a scrape waits for a database or a store that does not respond. */
const timeoutMs = 2_000

/** Collects the metrics of the database and the blob store. When one of them is unavailable, the rest is still reported. */
export async function collectInstallationMetrics({ db, blobs }: Deps): Promise<Metric[]> {
  const startedAt = performance.now()
  const seconds = await resolveInTime(ping(db).then(() => (performance.now() - startedAt) / 1000))
  const counts = seconds === undefined ? undefined : await resolveInTime(queryMetrics(db))
  const space = await resolveInTime(blobs.getSpace())
  return [
    createSingleValue('neptune_database_up', 'gauge', '1 if the database responds.', seconds === undefined ? 0 : 1),
    ...(seconds === undefined
      ? []
      : [createSingleValue('neptune_database_answer_seconds', 'gauge', 'Response time of the database, measured now.', seconds)]),
    ...(counts
      ? [
          {
            name: 'neptune_outbox_mails',
            type: 'gauge' as const,
            help: 'Emails in the outbox, by state.',
            values: MailState.options.map((state) => ({ labels: { state }, value: counts.mails[state] ?? 0 })),
          },
          createSingleValue('neptune_audit_last_seq', 'gauge', 'Sequence number of the last audit entry.', counts.lastAuditSeq),
        ]
      : []),
    ...(space && Number.isFinite(space.free)
      ? [
          createSingleValue('neptune_store_free_bytes', 'gauge', 'Free space in the blob store.', space.free),
          createSingleValue('neptune_store_size_bytes', 'gauge', 'Total size of the blob store.', space.total),
        ]
      : []),
  ]
}

/** Returns undefined when the promise rejects or takes longer than the timeout. */
async function resolveInTime<T>(value: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined)
  })
  try {
    return await Promise.race([value.catch(() => undefined), timeout])
  } finally {
    clearTimeout(timer)
  }
}
