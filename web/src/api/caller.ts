import { createContext, use } from 'react'
import { endSession, getSession } from './session-store.ts'

/** Provides the token of a call: from the session for staff, from the access code for a recipient. */
export interface Caller {
  /** Returns undefined while there is no token. */
  token: () => string | undefined
  /** Called when the server no longer accepts this token. */
  onUnauthorized: (token: string) => void
}

export const staff: Caller = {
  token: () => {
    const session = getSession()
    return session.kind === 'signed-in' ? session.token : undefined
  },
  onUnauthorized: (token) => endSession('expired', token),
}

/** The caller of all components inside. */
export const CallerContext = createContext(staff)

export const useCaller = (): Caller => use(CallerContext)
