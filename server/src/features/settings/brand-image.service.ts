import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { record } from '../audit/audit.service.ts'
import {
  deleteBrandImages,
  findBrandImages,
  hasBrandImages,
  type LogoField,
  listCompaniesWithoutImage,
  listUnusedImages,
  logoFields,
  markUnusedImages,
  removeCompanyLogo,
} from './brand-image.repo.ts'
import { findSection, saveSection } from './settings.repo.ts'
import { forgetSettings, parseValues, type StoredValues } from './settings.service.ts'

type Db = Deps['db']

/** How long an unused image is kept. Browsers may show pages, and people may read emails, that still contain it. */
const unusedRetentionMs = 90 * 24 * 60 * 60_000

/** Removes images that have been unused for long. Returns their ids. With `dryRun`, changes nothing. */
export async function removeUnusedImages(deps: Deps, { dryRun = false } = {}): Promise<string[]> {
  if (!(await hasBrandImages(deps.db))) return []
  const now = deps.now()
  const before = new Date(now.getTime() - unusedRetentionMs).toISOString()
  return deps.db.transaction().execute(async (trx) => {
    const used = Object.values(await findOwnLogos(trx))
    if (!dryRun) await markUnusedImages(trx, used, now.toISOString())
    const ids = await listUnusedImages(trx, used, before)
    if (!dryRun && ids.length > 0) await deleteBrandImages(trx, ids)
    return ids
  })
}

/** Returns the ids of the organisation's own logos. */
async function findOwnLogos(db: Db): Promise<Partial<Record<LogoField, string>>> {
  const stored = parseValues((await findSection(db, 'appearance'))?.value)
  return Object.fromEntries(logoFields.map((field) => [field, stored[field]]).filter(([, id]) => typeof id === 'string'))
}

interface LogoCheck {
  isRepair: boolean
  report: (finding: { kind: 'logo'; id: string; text: string; done?: string }) => void
}

/** Reports logos without an image. A repair removes them, so that the logo of the organisation, or none, is shown. */
export async function checkLogos(deps: Deps, { isRepair, report }: LogoCheck): Promise<void> {
  const done = isRepair ? { done: 'removed' } : {}
  const own = Object.entries(await findOwnLogos(deps.db)) as [LogoField, string][]
  const existing = own.length > 0 ? await findBrandImages(deps.db, Object.values(Object.fromEntries(own))) : []
  for (const [field, id] of own) {
    if (existing.some((image) => image.id === id)) continue
    if (isRepair) await removeOwnLogo(deps, field)
    report({ kind: 'logo', id, text: `the image of ${field} of the organisation is missing`, ...done })
  }
  for (const field of logoFields) {
    for (const { id, name } of await listCompaniesWithoutImage(deps.db, field)) {
      if (isRepair) await removeLogoOf(deps, { id, name }, field)
      report({ kind: 'logo', id, text: `the image of ${field} of ${JSON.stringify(name)} (${id}) is missing`, ...done })
    }
  }
}

const note = 'its image was missing'

async function removeOwnLogo(deps: Deps, field: LogoField): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const row = await findSection(trx, 'appearance')
    const { [field]: _, ...others }: StoredValues = parseValues(row?.value)
    const isSaved = row && (await saveSection(trx, { ...row, value: JSON.stringify(others) }, deps.now().toISOString()))
    if (!isSaved) throw new AppError('settings.changed')
    await record(deps, trx, [{ action: 'settings.changed', by: { kind: 'operator' }, name: `appearance.${field}`, note }])
  })
  forgetSettings(deps)
}

const removeLogoOf = (deps: Deps, { id, name }: { id: string; name: string }, field: LogoField) =>
  deps.db.transaction().execute(async (trx) => {
    await removeCompanyLogo(trx, id, field)
    const about = { company: id, name: `${name}: ${field}`, note }
    await record(deps, trx, [{ action: 'settings.changed', by: { kind: 'operator' }, ...about }])
  })
