import { MailState } from '@neptune/contract'
import { ping } from './db/database.ts'
import { findMeasures } from './db/measures.ts'
import type { Deps } from './deps.ts'
import { one, type Reading } from './http/readings.ts'

/** How long whoever watches waits for a database that does not answer. */
const patience = 2_000

/** What is measured beyond HTTP. A database or a store that is away is told so, and keeps back nothing else. */
export async function measure({ db, blobs }: Deps): Promise<Reading[]> {
  const begun = performance.now()
  const seconds = await soon(ping(db).then(() => (performance.now() - begun) / 1000))
  const rows = seconds === undefined ? undefined : await soon(findMeasures(db))
  const space = await soon(blobs.space())
  return [
    one('neptune_database_up', 'gauge', '1 if the database answers.', seconds === undefined ? 0 : 1),
    ...(seconds === undefined
      ? []
      : [one('neptune_database_answer_seconds', 'gauge', 'How long the database took to answer just now.', seconds)]),
    ...(rows
      ? [
          {
            name: 'neptune_outbox_mails',
            type: 'gauge' as const,
            help: 'Mails in the outbox, by state.',
            values: MailState.options.map((state) => ({ labels: { state }, value: rows.mails[state] ?? 0 })),
          },
          one('neptune_audit_last_seq', 'gauge', 'The number of the last row of the trail.', rows.trail),
        ]
      : []),
    ...(space && Number.isFinite(space.free)
      ? [
          one('neptune_store_free_bytes', 'gauge', 'Room left where files are kept.', space.free),
          one('neptune_store_size_bytes', 'gauge', 'Room in all where files are kept.', space.total),
        ]
      : []),
  ]
}

/** What comes in time, or nothing. */
async function soon<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patience, undefined)
  })
  try {
    return await Promise.race([answer.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}
