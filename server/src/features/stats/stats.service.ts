import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import { readTotals } from '../company/company-total.repo.ts'

/** Returns the dashboard totals. They come from stored counters, so a million files take no longer than ten. */
export const readStats = (deps: Deps, actor: Staff) => readTotals(deps.db, getCompanyScope(actor))
