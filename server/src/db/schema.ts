import type { CompanyAccess, FileKind, Language, MailRow, MailState, Role } from '@neptune/contract'
import type { Generated } from 'kysely'
import type { Counter } from './counter.ts'
import type { AuditTables } from './tables/audit-tables.ts'
import type { LinkTables } from './tables/link-tables.ts'
import type { ProgramTables } from './tables/program-tables.ts'
import type { SessionTables } from './tables/session-tables.ts'
import type { SettingsTables } from './tables/settings-tables.ts'
import type { SignInTables } from './tables/sign-in-tables.ts'
import type { VersionTables } from './tables/version-tables.ts'

/**
 * The rows of each table. Four conventions keep them the same on SQLite and PostgreSQL: ids are text that we generate, times are ISO 8601
 * text in UTC, a nullable time replaces a boolean, and counts are plain numbers.
 */
export interface Schema
  extends AuditTables,
    LinkTables,
    ProgramTables,
    SessionTables,
    SettingsTables,
    SignInTables,
    VersionTables {
  /** Values that apply to the whole installation: see installation.ts. */
  installation: { name: string; value: string }
  company: {
    id: string
    name: string
    name_key: string
    name_order: string
    created_at: string
    /** The size of everything the company stores, including the trash. */
    bytes: Counter
    /** While set, nobody in the company can sign in, its links don't work, and nothing can be added to it. */
    archived_at: Generated<string | null>
    /** Overrides the default quota. */
    quota_bytes: Generated<number | null>
    /** An internal note about the company, hidden from its own users. */
    note: Generated<string>
    /** The highest threshold, in percent of the quota, that admins were warned about. 0 if they were not warned. */
    warned_percent: Counter
    /** Shown to recipients instead of the name and the logos of the organisation. The logos are ids of brand images. */
    brand_name: Generated<string | null>
    logo_light: Generated<string | null>
    logo_dark: Generated<string | null>
  }
  /**
   * The numbers of directories and files outside the trash, and of links. A row belongs to a company; to all companies if the id is empty;
   * or to a user, if the id is theirs: it then has the sums of the companies that are selected for them. Rows change only while the audit
   * log is locked: see company-total.repo.ts.
   */
  company_total: { company_id: string; directories: number; files: number; links: number }
  /** A directory or, if it has a parent, a folder: see docs/decisions/0035-folders.md. */
  directory: {
    id: string
    company_id: string
    owner_id: string | null
    /** Null for a top-level directory. */
    parent_id: string | null
    /**
     * The top-level directory that contains it; for a top-level directory, its own id. Every transaction that changes the tree locks that
     * row.
     */
    root_id: string
    /** How many ancestors it has. */
    depth: number
    name: string
    /** The normalized name, for comparisons: see lib/names/name-key.ts. */
    name_key: string
    /** The sort key of the name: see lib/names/name-order.ts. */
    name_order: string
    /**
     * The number and total size of the files in it and in all folders below. Excludes what is in the trash. For a folder in the trash, counts
     * the files in it and in the folders that were moved there together with it.
     */
    files: Counter
    bytes: Counter
    created_at: string
    /** Also set for every folder below one that is in the trash. */
    deleted_at: string | null
    /**
     * The folder with which it was moved to the trash. Null if it was moved there itself. The hidden folder of a running copy has its own id:
     * see docs/decisions/0036-versions-and-copies.md.
     */
    trashed_with: Generated<string | null>
  }
  /** A complete file, with its current version. Its blob is stored before the row is inserted. */
  file: {
    /** For the full-text index of names. */
    seq: Generated<number>
    id: string
    company_id: string
    directory_id: string
    name: string
    name_key: string
    name_order: string
    kind: FileKind
    content_type: string
    /** The blob with its bytes. The same as its id, unless it was replaced or is a copy. */
    blob_id: string
    /** The number of its current version, counted from 1. */
    version: Generated<number>
    size: number
    sha256: string
    crc32: number
    /** A user or a link, at most one of them. */
    uploaded_by: string | null
    link_key: string | null
    created_at: string
    deleted_at: string | null
    /** Also `failed` while the thumbnail is being created: see features/thumbnail/thumbnail.service.ts. */
    thumbnail: 'none' | 'wanted' | 'made' | 'failed'
    /** The thumbnail's own blob. */
    thumbnail_id: string | null
    thumbnail_size: number | null
    /** When its bytes were found to be damaged. Damaged files are not sent. */
    damaged_at: string | null
  }
  /** A PDF made from an Office document, for previews. It can be made again at any time. */
  rendition: {
    /** The blob of the document. */
    blob_id: string
    /** Set to `converting` before the conversion starts, so that a document that crashes the server isn't converted again. */
    state: 'wanted' | 'converting' | 'failed' | 'made'
    /** When someone requested it, or when the attempt began. */
    requested_at: string
    pdf_id: string | null
    pdf_size: number | null
  }
  /** A resumable upload, kept until a day after it became a file. Its bytes are in the blob store under the same id. */
  upload: {
    id: string
    directory_id: string
    /** Exactly one of the two is set. */
    user_id: string | null
    link_key: string | null
    name: string
    conflict: 'keep' | 'replace'
    size: number
    /** `Upload-Metadata` as the client sent it. */
    metadata: string
    created_at: string
    /** When bytes last arrived. */
    progress_at: string
    /** How many bytes have arrived. Updated at the end of every request, and periodically during a long one. */
    received: Counter
    /** How many bytes count against the quota, at least as many as are stored. Grows in steps, before the bytes arrive. */
    reserved: Counter
    finished_at: string | null
    /** The file that it became a version of. Null if it became a file of its own, with the id of the upload. */
    file_id: Generated<string | null>
    ends_at: string
    /** The process that is writing, its heartbeat counter, and the process that waits for it to release the upload. */
    holder: string | null
    beat: Counter
    awaited_by: string | null
  }
  /** The state of an upload to an object store: see blobs/s3/uploads.ts. */
  blob_upload: { id: string; version: number; size: number; state: string; changed_at: string }
  /** When a scheduled job last ran: see features/job. */
  job: { name: string; ran_at: string }
  user: {
    id: string
    company_id: string
    name: string
    /** For search: see lib/names/name-key.ts. */
    name_key: string
    name_order: string
    /** Trimmed and in lower case, so that it is unique. */
    email: string
    role: Role
    /** Which companies a user may see: their own, those in `user_company`, or all. Ignored for admins, who see all. */
    access: Generated<CompanyAccess>
    password_hash: string
    /** Since when the user has an authenticator app or a passkey. Null without one. */
    second_factor_at: Generated<string | null>
    /** Incremented to end all sessions of the user. */
    generation: number
    suspended_at: string | null
    created_at: string
    /** When the user last chose a password. Null while they have one that an admin or Neptune chose. */
    password_changed_at: string | null
    /**
     * Set from the invitation until the user accepts it by choosing a password. A new link replaces the id, so that the previous one
     * stops working.
     */
    invitation_id: Generated<string | null>
    invitation_ends_at: Generated<string | null>
    /** When they last signed in. Null until the first time. */
    signed_in_at: Generated<string | null>
    /** Never cleared. A removed user is also suspended and has no email address: see docs/decisions/0029-removed-users.md. */
    removed_at: Generated<string | null>
    /** The language of their screens and emails. Null until they choose one. */
    language: Generated<Language | null>
    /** When they last looked at the dashboard, and since when its news is new to them: see features/stats/dashboard-visit.service.ts. */
    visited_at: Generated<string | null>
    news_since: Generated<string | null>
  }
  /** The companies that a user with the access `selected` may see. Always includes their own. */
  user_company: { user_id: string; company_id: string }
  /** Emails to send and their delivery state: see features/outbox. */
  outbox: {
    id: string
    /** The type of the email. */
    letter: MailRow['letter']
    recipient: string
    /** The data from which the text is composed when it is sent. */
    about: string
    state: MailState
    created_at: string
    /** Not sent after this time. */
    ends_at: string
    tries: number
    /** How often the mail server rejected the email permanently. */
    refusals: number
    /** When the next attempt is due. While a process has claimed it, when that claim expires. */
    next_at: string | null
    claim: string | null
    sent_at: string | null
    problem: string | null
    /** The language that the sender chose. Null if none was chosen. */
    language: Generated<Language | null>
  }
  /** A signed receipt for a recipient's uploads. Kept after the link is deleted. */
  receipt: {
    id: string
    company_id: string
    link_key: string
    session_id: string
    /** A hash of the file ids, so that the same files always get the same receipt. */
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
  /** Attempts counted in a time window: see features/throttle. */
  throttle: { bucket: string; tries: number; ends_at: string }
}
