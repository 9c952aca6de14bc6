import { createContext, use } from 'react'
import { endSession, getSession } from './session-store.ts'

/** Whose token a call carries: staff have their session's, a recipient has the one their access code gave. */
export interface Caller {
  /** Undefined while there is none. */
  token: () => string | undefined
  /** The server does not know this token any more. */
  onRefused: (token: string) => void
}

export const staff: Caller = {
  token: () => {
    const session = getSession()
    return session.kind === 'signed-in' ? session.token : undefined
  },
  onRefused: (token) => endSession('expired', token),
}

/** Whoever the screens inside belong to. */
export const CallerContext = createContext(staff)

export const useCaller = (): Caller => use(CallerContext)
