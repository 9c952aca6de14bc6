import type { Deps } from '../../deps.ts'
import { refreshStandings, refreshStandingsSoon } from '../link/link.repo.ts'

/** Refreshes the states of links. Call it after the transaction that trashed or restored their targets. */
export const refreshLinks = (deps: Deps, scopes: Parameters<typeof refreshStandingsSoon>[1]): Promise<void> =>
  refreshStandingsSoon(deps.db, scopes, (err) => deps.log.error({ err, scopes }, 'could not refresh the states of links'))

/** Refreshes the states of all links every hour, in case a process crashed before it could. */
export const refreshAllLinks = (deps: Deps): Promise<number> => refreshStandings(deps.db, { all: true })
