import type { FileKind, MailRow, MailState, Role } from '@neptune/contract'
import type { ColumnType, Generated } from 'kysely'

/**
 * Rows as they are stored, one type per table. Four habits keep them the same on SQLite and PostgreSQL: ids are text we make,
 * instants are ISO-8601 UTC text, a nullable instant says what a boolean would, and counts are plain numbers.
 */
export interface Schema {
  /** What is true of this installation as a whole: `key_check`, `first_run`. */
  installation: { name: string; value: string }
  /** `bytes` is all it keeps, the trash included. */
  company: { id: string; name: string; name_key: string; created_at: string; bytes: Kept }
  directory: {
    id: string
    company_id: string
    owner_id: string | null
    name: string
    /** As names are compared: see lib/file-name.ts. */
    name_key: string
    /** How many files it shows, and their bytes. */
    files: Kept
    bytes: Kept
    created_at: string
    deleted_at: string | null
  }
  /** A file that is there for good: its blob, by the same id, was safe before the row was written. */
  file: {
    /** For the index of names. */
    seq: Generated<number>
    id: string
    company_id: string
    directory_id: string
    name: string
    name_key: string
    kind: FileKind
    content_type: string
    size: number
    sha256: string
    crc32: number
    uploaded_by: string | null
    created_at: string
    deleted_at: string | null
    thumbnail: 'none' | 'wanted' | 'made' | 'failed'
    /** The small picture is a blob of its own. */
    thumbnail_id: string | null
    thumbnail_size: number | null
  }
  /** A resumable upload, until a day after it became a file. Its bytes are with the blobs, under the same id. */
  upload: {
    id: string
    directory_id: string
    user_id: string
    name: string
    conflict: 'keep' | 'replace'
    size: number
    /** As the client sent it: it is told again. */
    metadata: string
    finished_at: string | null
    ends_at: string
  }
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
    /** How often the mail server said no to it for good. */
    refusals: number
    /** When it is due; while a worker has it, when that claim lapses. */
    next_at: string | null
    claim: string | null
    sent_at: string | null
    problem: string | null
  }
  /** Tries counted in a window of time: see features/throttle. */
  throttle: { bucket: string; tries: number; ends_at: string }
}

/** A counter that begins at nothing. */
type Kept = ColumnType<number, number | undefined, number>
