import type {
  ActivityAction,
  ActivityRow,
  FileKind,
  LinkAsk,
  LinkEvent,
  LinkType,
  MailRow,
  MailState,
  Role,
} from '@neptune/contract'
import type { Generated } from 'kysely'
import type { Kept } from './kept.ts'
import type { ProgramTables } from './schema-programs.ts'

/**
 * Rows as they are stored, one type per table. Four habits keep them the same on SQLite and PostgreSQL: ids are text we make,
 * instants are ISO-8601 UTC text, a nullable instant says what a boolean would, and counts are plain numbers.
 */
export interface Schema extends ProgramTables {
  /** What is true of this installation as a whole: `key_check`, `first_run`, `restored`, `store`, `transfers_counted`; and until when each backup runs, `backup_until …`. */
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
    /** A person, or a link. */
    uploaded_by: string | null
    link_key: string | null
    created_at: string
    deleted_at: string | null
    /** Also `failed` while it is being drawn: see features/file/thumbnail.service.ts. */
    thumbnail: 'none' | 'wanted' | 'made' | 'failed'
    /** The small picture is a blob of its own. */
    thumbnail_id: string | null
    thumbnail_size: number | null
    /** Since when its bytes are known to be wrong: they are sent to nobody. */
    damaged_at: string | null
  }
  /** A resumable upload, until a day after it became a file. Its bytes are with the blobs, under the same id. */
  upload: {
    id: string
    directory_id: string
    /** One of the two. */
    user_id: string | null
    link_key: string | null
    name: string
    conflict: 'keep' | 'replace'
    size: number
    /** As the client sent it: it is told again. */
    metadata: string
    created_at: string
    /** When bytes last arrived. */
    progress_at: string
    /** How many bytes have arrived, written at the end of every request and now and then during a long one. */
    received: Kept
    /** How many bytes count against the quota: never fewer than are stored. Grows in steps, just before they arrive. */
    reserved: Kept
    finished_at: string | null
    ends_at: string
    /** Which process writes it now, how often it has said that it still does, and who waits for it to let go. */
    holder: string | null
    beat: Kept
    awaited_by: string | null
  }
  /** Where the bytes of an upload stand that are with an object store: see blobs/s3.ts. */
  blob_upload: { id: string; version: number; size: number; state: string; changed_at: string }
  /** When something that one process does for all was last done: see features/job. */
  job: { name: string; ran_at: string }
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
    /** When the person last chose it; null while it is the one that somebody gave them. */
    password_changed_at: string | null
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
  /** A shareable link. Its code is here twice: as a keyed hash to compare with, and sealed, to be sent again. */
  link: {
    key: string
    type: LinkType
    company_id: string
    directory_id: string
    /** Of a file link. */
    file_id: string | null
    /** What the directory or the file is called. */
    name: string
    name_key: string
    maker_id: string
    code_mac: string
    code_sealed: string
    /** Raised with every new code, which ends all that the old one opened. */
    generation: number
    created_at: string
    expires_at: string
    email: string | null
    /** Set if the maker is to be told of the first download. */
    tells_download_at: string | null
    /** When the maker's next, or last, mail about uploads leaves. */
    noticed_at: string | null
    /** What recipients have added. */
    files: Kept
    bytes: Kept
    /** Derived from the target and the owner, for filters only: see link-standing.ts. It never decides who may enter. */
    standing: Generated<'open' | 'paused' | 'trashed'>
  }
  /** A key and a code that somebody was shown and has not used yet. */
  link_reservation: {
    key: string
    user_id: string
    kind: 'INITIALISE' | 'RESET'
    directory_id: string
    code_mac: string
    ends_at: string
  }
  /** A recipient who entered the code, on one browser. */
  link_session: {
    id: string
    hash: string
    link_key: string
    /** Must equal the link's, or it is over. */
    generation: number
    created_at: string
    last_seen_at: string
    idle_ends_at: string
    ends_at: string
    client: string
    /** Of staff who look at the link as a recipient would: it ends with that session. */
    staff_session_id: string | null
  }
  /** What happened with a link: see LinkEvent in the contract. */
  link_event: {
    id: string
    link_key: string
    session_id: string | null
    user_id: string | null
    kind: LinkEvent['kind']
    /** Of a directory as a ZIP, the directory's. */
    file_id: string | null
    name: string | null
    size: number | null
    bytes: number | null
    times: number
    at: string
    client: string | null
  }
  /** A question of a recipient that nobody has answered. */
  link_ask: { id: string; link_key: string; wants: LinkAsk['wants']; message: string | null; created_at: string }
  /** What happened, in one chain: see features/audit. Nothing in it is ever changed, and only its oldest rows are removed. */
  audit: {
    seq: number
    at: string
    action: ActivityAction
    outcome: ActivityRow['outcome']
    who: ActivityRow['who']
    person_id: string | null
    person: string | null
    client: string | null
    company_id: string | null
    name: string | null
    link_key: string | null
    directory_id: string | null
    file_id: string | null
    size: number | null
    bytes: number | null
    times: number
    note: string | null
    /** Over this row and the `mac` of the one before. */
    mac: string
  }
  /** Where the chain ends: one row. */
  audit_head: { id: number; seq: number; mac: string }
  /** Where the chain begins now that older rows are gone: the last of them, signed. */
  audit_checkpoint: { seq: number; at: string; mac: string; signature: string }
  /** What went in and out on a day of UTC, counted from the trail: of one company, or with an empty id of all. */
  transfer: { company_id: string; day: string; uploads: number; downloads: number; bytes_in: number; bytes_out: number }
  /** What was said, signed, to a recipient who brought files. It outlives the link. */
  receipt: {
    id: string
    company_id: string
    link_key: string
    session_id: string
    /** Of the files' ids: asked twice for the same files, it is the same receipt. */
    files_hash: string
    issued_at: string
    client: string | null
    total_files: number
    total_bytes: number
    /** The receipt as it was signed. */
    body: string
    key_id: string
    signature: string
  }
  /** Tries counted in a window of time: see features/throttle. */
  throttle: { bucket: string; tries: number; ends_at: string }
}
