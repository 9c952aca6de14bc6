import type { Deps } from '../../deps.ts'
import { readSettings } from '../settings/settings.service.ts'
import type { SessionLimits } from './session.repo.ts'

/** Returns the limits for valid sessions. Shorter limits in the settings also end sessions that began before the change. */
export async function getSessionLimits(deps: Deps): Promise<SessionLimits> {
  const { session_minutes, session_idle_minutes, session_remembered_idle_minutes } = (await readSettings(deps)).security
  const now = deps.now()
  return {
    now: now.toISOString(),
    startedAfter: addMinutes(now, -session_minutes),
    seenAfter: addMinutes(now, -session_idle_minutes),
    rememberedSeenAfter: addMinutes(now, -session_remembered_idle_minutes),
  }
}

export const addMinutes = (time: Date, minutes: number) => new Date(time.getTime() + minutes * 60_000).toISOString()
