import { createHmac } from 'node:crypto'
import type { Logos } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createTaskQueue } from '../../lib/concurrency/task-queue.ts'
import { type DrawnImage, drawLogo } from '../../media/logo.ts'
import { record } from '../audit/audit.service.ts'
import { findCompany, lockCompany } from '../company/company.repo.ts'
import { clearSettingsCache } from '../settings/settings.service.ts'
import { findLogoIds, findLogos, insertImage, type LogoIds, lockLogos, saveLogoIds, setCompanyLogo } from './brand.repo.ts'

type Db = Deps['db']
type Theme = 'light' | 'dark'

/** Draws one logo at a time in this process, because each takes a core for a moment. */
const drawInTurn = createTaskQueue(
  { slots: 1, maxWaiting: 8, maxWaitingPerClient: 2 },
  () => new AppError('server.busy', { retryAfterSeconds: 5 }),
)

/** Sets a logo of the organisation, and the icon that belongs to it. Throws `logo.invalid` if the image can't be used. */
export async function setLogo(deps: Deps, actor: Staff, theme: Theme, image: Buffer): Promise<Logos> {
  const { logo, icon } = await draw(actor, image)
  return changeLogo(deps, actor, theme, { logo, icon })
}

export const removeLogo = (deps: Deps, actor: Staff, theme: Theme): Promise<Logos> => changeLogo(deps, actor, theme, undefined)

async function changeLogo(
  deps: Deps,
  by: Staff,
  theme: Theme,
  images: { logo: DrawnImage; icon: DrawnImage } | undefined,
): Promise<Logos> {
  const ids = await deps.db.transaction().execute(async (trx) => {
    await lockLogos(trx)
    const before = await findLogoIds(trx)
    const logo = images ? await storeImage(deps, trx, images.logo) : null
    const after: LogoIds = {
      ...before,
      [`logo_${theme}`]: logo,
      [`icon_${theme}`]: images ? await storeImage(deps, trx, images.icon) : null,
    }
    const note = describeChange(before[`logo_${theme}`], logo)
    if (!note) return before
    await saveLogoIds(trx, after, deps.now().toISOString())
    await record(deps, trx, [{ action: 'settings.changed', by, name: `appearance.logo_${theme}`, note }])
    return after
  })
  clearSettingsCache(deps)
  return findLogos(deps.db, ids)
}

/** Sets a logo of a company. Throws `logo.invalid` if the image can't be used. */
export async function setLogoOfCompany(
  deps: Deps,
  actor: Staff,
  target: { id: string; theme: Theme },
  image: Buffer,
): Promise<Logos> {
  if (!(await findCompany(deps.db, target.id))) throw new AppError('company.not_found')
  return changeLogoOfCompany(deps, actor, target, (await draw(actor, image)).logo)
}

export const removeLogoOfCompany = (deps: Deps, actor: Staff, target: { id: string; theme: Theme }): Promise<Logos> =>
  changeLogoOfCompany(deps, actor, target, undefined)

async function changeLogoOfCompany(
  deps: Deps,
  by: Staff,
  { id, theme }: { id: string; theme: Theme },
  image: DrawnImage | undefined,
): Promise<Logos> {
  const field = `logo_${theme}` as const
  const ids = await deps.db.transaction().execute(async (trx) => {
    const company = await lockCompany(trx, id)
    if (!company) throw new AppError('company.not_found')
    const logo = image ? await storeImage(deps, trx, image) : null
    const note = describeChange(company[field], logo)
    if (!note) return company
    await setCompanyLogo(trx, id, field, logo)
    await record(deps, trx, [{ action: 'company.brand_changed', by, company: id, name: company.name, note: `${field}: ${note}` }])
    return { ...company, [field]: logo }
  })
  return findLogos(deps.db, ids)
}

async function draw(actor: Staff, image: Buffer) {
  const drawn = await drawInTurn(actor.userId, () => drawLogo(image))
  if (!drawn) throw new AppError('logo.invalid')
  return drawn
}

/**
 * Stores an image under a keyed hash of its bytes, so that its URL changes with its content. Without the key, nobody can find out whether
 * a company uses a certain logo here by computing its URL.
 */
async function storeImage(deps: Deps, trx: Db, { bytes, width, height }: DrawnImage): Promise<string> {
  const id = createHmac('sha256', deps.keys.brand).update(bytes).digest('base64url').slice(0, 22)
  await insertImage(trx, { id, bytes: bytes.toString('base64'), width, height, created_at: deps.now().toISOString() })
  return id
}

/** Describes a change for the audit log. Returns undefined if nothing changes. */
function describeChange(before: string | null | undefined, after: string | null): string | undefined {
  const format = (id: string | null | undefined) => id?.slice(0, 8) ?? 'not set'
  return (before ?? null) === after ? undefined : `${format(before)} → ${format(after)}`
}
