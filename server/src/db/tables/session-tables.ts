import type { SecondFactor, SignInMethod } from '@neptune/contract'

/** The tables for signing in: sessions and password resets. */
export interface SessionTables {
  /** One sign-in in one browser. Each tab has its own token. */
  session: {
    id: string
    user_id: string
    /** The session ends when this differs from the user's generation. */
    generation: number
    remembered_at: string | null
    created_at: string
    last_seen_at: string
    idle_ends_at: string
    ends_at: string
    /** The number of the current restore secret. Older ones are used up. */
    restore_number: number
    restored_at: string
    client: string
    agent: string
    /** How the user signed in. Null for sessions that began before Neptune stored this. */
    method: SignInMethod | null
    second_factor: SecondFactor | null
    /** When the user last proved who they are. */
    confirmed_at: string | null
    /** Set if the user had never signed in with this browser before. */
    new_browser_at: string | null
  }
  session_token: { hash: string; session_id: string; created_at: string }
  /** A password reset that was requested. Has no user if the address is unknown: see features/identity/reset.service.ts. */
  password_reset: {
    id: string
    user_id: string | null
    /** Must equal the user's generation: whatever ends their sessions, such as a new password, also ends this. */
    generation: number
    ends_at: string
  }
}
