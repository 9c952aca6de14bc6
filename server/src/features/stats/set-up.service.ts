import type { api, FirstStep, Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { allCompanies, type Staff } from '../../lib/actor.ts'
import { readBrand } from '../brand/brand.service.ts'
import { countCompanies } from '../company/company.repo.ts'
import { readMailDelivery } from '../settings/mail-server.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { readFirstRun } from '../user/user.repo.ts'
import { readStats } from './stats.service.ts'

const newPeriodMs = 30 * 24 * 60 * 60_000

/** Returns whether an account or the installation counts as new. */
export const isNew = (deps: Deps, since: string) => deps.now().getTime() - Date.parse(since) <= newPeriodMs

/** Returns the steps that set up a new installation for an organisation. A step is done when its result exists. */
export async function readSetUp(deps: Deps, actor: Staff): Promise<Reply<typeof api.stats.setUp>['data']> {
  const { organisation, appearance } = await readSettings(deps)
  const { logos } = await readBrand(deps)
  const firstRun = await readFirstRun(deps.db)
  const steps: FirstStep[] = [
    { step: 'organisation', done: organisation.name !== null },
    { step: 'logo', done: logos.light !== null || logos.dark !== null || appearance.accent !== null },
    { step: 'email', done: (await readMailDelivery(deps)) === 'smtp' },
    { step: 'company', done: (await countCompanies(deps.db, allCompanies)) > 1 },
    { step: 'link', done: (await readStats(deps, actor)).links > 0 },
  ]
  return { is_new: firstRun !== undefined && isNew(deps, firstRun), steps }
}
