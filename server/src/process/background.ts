import type { Deps } from '../deps.ts'
import { sweepVisits } from '../features/access/access.service.ts'
import { refreshAllLinks } from '../features/access/link-standing.service.ts'
import { logCheckpoint, pruneAuditLog } from '../features/audit/verify-audit.service.ts'
import { removeUnusedImages } from '../features/brand/stored-logos.service.ts'
import { discardAbandonedCopies } from '../features/copy/discard-copy.service.ts'
import { sweepFactorResets } from '../features/factor/factor-reset.service.ts'
import { sweepResets } from '../features/identity/reset.service.ts'
import { setSortKeysOfNewNames } from '../features/integrity/name-order.service.ts'
import { runJob } from '../features/job/job.service.ts'
import { sweepReservations } from '../features/link/link.service.ts'
import { createMailQueue } from '../features/outbox/mail-queue.service.ts'
import { sweepOutbox } from '../features/outbox/outbox.service.ts'
import { warnAboutQuotas } from '../features/quota/quota-warning.service.ts'
import { sweepChallenges } from '../features/session/challenge.service.ts'
import { sweepSessions } from '../features/session/session.service.ts'
import { readSettings } from '../features/settings/settings.service.ts'
import { countAllTransfers } from '../features/stats/transfer.service.ts'
import { sweepThrottle } from '../features/throttle/throttle.service.ts'
import { removeUnusedRenditions } from '../features/thumbnail/rendition.service.ts'
import { startDrawingThumbnails } from '../features/thumbnail/thumbnail.service.ts'
import { sweepTokens } from '../features/token/token.service.ts'
import { pruneVersions } from '../features/trash/prune-versions.service.ts'
import { emptyTrash, removeOrphans } from '../features/trash/trash.service.ts'
import { sweepUploads } from '../features/upload/upload-sweep.service.ts'
import { sweepWebhooks } from '../features/webhook/webhook.service.ts'
import { createWebhookQueue } from '../features/webhook/webhook-queue.service.ts'
import { startDelivery } from '../lib/concurrency/delivery.ts'
import { composeEmail } from './compose-email.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const sweeps = [
  sweepThrottle,
  sweepSessions,
  sweepChallenges,
  sweepResets,
  sweepFactorResets,
  sweepOutbox,
  sweepUploads,
  sweepVisits,
  sweepReservations,
  sweepTokens,
  sweepWebhooks,
  emptyTrash,
  pruneVersions,
  discardAbandonedCopies,
  warnAboutQuotas,
  countAllTransfers, // before pruneAuditLog deletes the entries it counts
  async (deps: Deps) => pruneAuditLog(deps, (await readSettings(deps)).storage.activity_days),
]

/** Starts the background tasks: email, webhooks, thumbnails and clean-up. Only the first process on a machine runs them. */
export function startBackground(deps: Deps): { stop: () => Promise<void> } {
  const stopped = new AbortController()
  const emailDelivery = startDelivery(createMailQueue(deps, composeEmail))
  const webhookDelivery = startDelivery(createWebhookQueue(deps))
  const drawing = deps.config.hasThumbnails ? startDrawingThumbnails(deps) : undefined
  const sweeping = runRepeatedly(minuteMs, () => sweepAll(deps, stopped.signal))
  const tidying = runRepeatedly(hourMs, () => tidyUp(deps))
  tidying.run()
  return {
    async stop() {
      stopped.abort()
      await Promise.all([sweeping.stop(), tidying.stop(), drawing?.stop(), emailDelivery.stop(), webhookDelivery.stop()])
    },
  }
}

/** Runs a task at an interval. Skips a run while the previous one is still in progress. */
function runRepeatedly(intervalMs: number, work: () => Promise<void>) {
  let running: Promise<void> | undefined
  const run = () => {
    running ??= work().finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(run, intervalMs)
  return {
    run,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** Runs every sweep in turn, even if one of them fails. */
async function sweepAll(deps: Deps, stopped: AbortSignal) {
  const logFailure = (err: unknown) => deps.log.error({ err }, 'sweep failed')
  const sweepInTurn = async (lockLost: AbortSignal) => {
    for (const sweep of sweeps) {
      if (stopped.aborted || lockLost.aborted) return
      await sweep(deps).catch(logFailure)
    }
  }
  await runJob(deps, 'sweep', minuteMs, sweepInTurn).catch(logFailure)
  await logCheckpoint(deps).catch(logFailure) // every machine writes the checkpoint to its own log
}

/** Repairs what crashed processes left behind, and removes data that is no longer used. */
const tidyUp = (deps: Deps) =>
  runJob(deps, 'tidy', hourMs, async () => {
    await refreshAllLinks(deps).catch((err: unknown) => deps.log.error({ err }, 'could not refresh the link states'))
    await setSortKeysOfNewNames(deps).catch((err: unknown) => deps.log.error({ err }, 'could not set missing sort keys of names'))
    await removeUnusedImages(deps).catch((err: unknown) => deps.log.error({ err }, 'could not remove unused logos'))
    await removeUnusedRenditions(deps).catch((err: unknown) => deps.log.error({ err }, 'could not remove unused PDFs'))
    await removeOrphans(deps)
  }).catch((err: unknown) => deps.log.error({ err }, 'could not remove orphaned blobs'))
