import type { MailRow, MailState, Role } from '@neptune/contract'

/**
 * Rows as they are stored, one type per table. Four habits keep them the same on SQLite and PostgreSQL: ids are text we make,
 * instants are ISO-8601 UTC text, a nullable instant says what a boolean would, and counts are plain numbers.
 */
export interface Schema {
  /** What is true of this installation as a whole: `key_check`, `first_run`. */
  installation: { name: string; value: string }
  company: { id: string; name: string; name_key: string; created_at: string }
  directory: { id: string; company_id: string; name: string; created_at: string }
  user: {
    id: string
    company_id: string
    name: string
    /** The name in lower case, for order and search. */
    name_key: string
    /** Trimmed and in lower case, so that it is unique however it was typed. */
    email: string
    role: Role
    password_hash: string
    /** Raised to end every session of the person at once. */
    generation: number
    suspended_at: string | null
    created_at: string
  }
  /** One sign-in on one browser. Its tabs hold a token each. */
  session: {
    id: string
    user_id: string
    /** Must equal the user's, or the session is over. */
    generation: number
    remembered_at: string | null
    created_at: string
    last_seen_at: string
    idle_ends_at: string
    ends_at: string
    /** Which restore secret is the current one; the older ones are spent. */
    restore_number: number
    restored_at: string
    client: string
    agent: string
  }
  session_token: { hash: string; session_id: string; created_at: string }
  /** A mail that lets somebody choose a new password. Without a user when nobody has the address: see features/identity/reset.service.ts. */
  password_reset: {
    id: string
    user_id: string | null
    /** Must equal the user's: whatever ends their sessions, a new password above all, ends this too. */
    generation: number
    ends_at: string
  }
  /** Mails on their way out, and what became of them: see features/outbox. */
  outbox: {
    id: string
    letter: MailRow['letter']
    recipient: string
    /** What the text is written from, once it is sent. */
    about: string
    state: MailState
    created_at: string
    /** Of no use after this. */
    ends_at: string
    tries: number
    /** When it is due; while a worker has it, when that claim lapses. */
    next_at: string | null
    claim: string | null
    sent_at: string | null
    problem: string | null
  }
  /** Tries counted in a window of time: see features/throttle. */
  throttle: { bucket: string; tries: number; ends_at: string }
}
