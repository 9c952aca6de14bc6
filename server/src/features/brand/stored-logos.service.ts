import type { Deps } from '../../deps.ts'
import { record } from '../audit/audit.service.ts'
import { clearSettingsCache } from '../settings/settings.service.ts'
import {
  deleteUnusedImages,
  findImageSizes,
  findLogoIds,
  hasImages,
  type LogoIds,
  listCompaniesWithoutImage,
  listUnusedImages,
  lockLogos,
  logoFields,
  markUnusedImages,
  saveLogoIds,
  setCompanyLogo,
} from './brand.repo.ts'

type Db = Deps['db']

/** How long an unused image is kept. Open pages and old emails may still contain it. */
const unusedRetentionMs = 90 * 24 * 60 * 60_000

/** Removes images that have been unused for 90 days. Returns their ids. With `dryRun`, changes nothing. */
export async function removeUnusedImages(deps: Deps, { dryRun = false } = {}): Promise<string[]> {
  if (!(await hasImages(deps.db))) return []
  const now = deps.now()
  const before = new Date(now.getTime() - unusedRetentionMs).toISOString()
  return deps.db.transaction().execute(async (trx) => {
    await lockLogos(trx)
    const used = (await listOwnImages(trx)).map(([, id]) => id)
    if (!dryRun) await markUnusedImages(trx, used, now.toISOString())
    const ids = await listUnusedImages(trx, used, before)
    if (!dryRun && ids.length > 0) await deleteUnusedImages(trx, ids)
    return ids
  })
}

/** Lists the images that the organisation uses, with what it uses them for. */
async function listOwnImages(db: Db): Promise<[field: keyof LogoIds, id: string][]> {
  const images = Object.entries(await findLogoIds(db)) as [keyof LogoIds, string | null][]
  return images.flatMap(([field, id]) => (id === null ? [] : [[field, id]]))
}

interface LogoCheck {
  isRepair: boolean
  report: (finding: { kind: 'logo'; id: string; text: string; done?: string }) => void
}

/** Reports logos without an image. A repair removes them, so that the logo of the organisation, or none, is shown. */
export async function checkLogos(deps: Deps, { isRepair, report }: LogoCheck): Promise<void> {
  const done = isRepair ? { done: 'removed' } : {}
  const own = await listOwnImages(deps.db)
  const existing = await findImageSizes(
    deps.db,
    own.map(([, id]) => id),
  )
  for (const [field, id] of own) {
    if (existing.some((image) => image.id === id)) continue
    if (isRepair) await clearOrganisationLogo(deps, field)
    report({ kind: 'logo', id, text: `the image of ${field} of the organisation is missing`, ...done })
  }
  for (const field of logoFields) {
    for (const { id, name } of await listCompaniesWithoutImage(deps.db, field)) {
      if (isRepair) await clearCompanyLogo(deps, { id, name }, field)
      report({ kind: 'logo', id, text: `the image of ${field} of ${JSON.stringify(name)} (${id}) is missing`, ...done })
    }
  }
}

const by = { kind: 'operator' } as const
const note = 'its image was missing'

async function clearOrganisationLogo(deps: Deps, field: keyof LogoIds): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await lockLogos(trx)
    await saveLogoIds(trx, { ...(await findLogoIds(trx)), [field]: null }, deps.now().toISOString())
    await record(deps, trx, [{ action: 'settings.changed', by, name: `appearance.${field}`, note }])
  })
  clearSettingsCache(deps)
}

const clearCompanyLogo = (deps: Deps, { id, name }: { id: string; name: string }, field: (typeof logoFields)[number]) =>
  deps.db.transaction().execute(async (trx) => {
    await setCompanyLogo(trx, id, field, null)
    await record(deps, trx, [{ action: 'company.brand_changed', by, company: id, name, note: `${field}: ${note}` }])
  })
