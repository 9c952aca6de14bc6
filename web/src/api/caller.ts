import { createContext, use } from 'react'
import type { ApiError } from './api-error.ts'
import { requestConfirmation } from './confirmation.ts'
import { endSession, getSession, requireEnrollment } from './session-store.ts'

/** Provides the token of a call: from the session for staff, from the access code for a recipient. */
export interface Caller {
  /** Returns undefined while there is no token. */
  getToken: () => string | undefined
  /** Called when the server no longer accepts this token, with the reason. */
  onUnauthorized: (token: string, problem: ApiError) => void
  /** Called when the holder of this token must set up a second factor before anything else. */
  onFactorRequired?: (token: string) => void
  /** Asks the person to confirm their identity, for a sensitive call. Resolves to whether they did. */
  confirm?: () => Promise<boolean>
}

export const staffCaller: Caller = {
  getToken: () => {
    const session = getSession()
    return session.kind === 'signed-in' ? session.token : undefined
  },
  onUnauthorized: (token) => endSession('expired', token),
  onFactorRequired: requireEnrollment,
  confirm: requestConfirmation,
}

/** Provides the caller whose token the components inside use for their calls. */
export const CallerContext = createContext(staffCaller)

export const useCaller = (): Caller => use(CallerContext)
