import type { ActivityAction, ActivityRow, NewsRow } from '@neptune/contract'

/** The tables of the audit log. */
export interface AuditTables {
  /** The audit log, a hash chain: see features/audit. Entries are never changed, and only the oldest are deleted. */
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
    /** The MAC of this entry and the `mac` of the previous one. */
    mac: string
  }
  /** The end of the chain, in one row. */
  audit_head: { id: number; seq: number; mac: string }
  /** The start of the chain after older entries were deleted: the last deleted entry, signed. */
  audit_checkpoint: { seq: number; at: string; mac: string; signature: string }
  /**
   * Uploads and downloads on one day (UTC), counted from the audit log. A row belongs to a company; to all companies if the id is empty; or
   * to a user, if the id is theirs: it then has the sums of the companies that are selected for them.
   */
  transfer: { company_id: string; day: string; uploads: number; downloads: number; bytes_in: number; bytes_out: number }
  /** What recipients did in the last 30 days, read from the audit log: see features/stats/news.service.ts. */
  news: {
    id: string
    company_id: string
    link_key: string
    kind: NewsRow['kind']
    /** The time of the last upload of a burst. */
    at: string
    files: number
    bytes: number
    /** The name of the first file. */
    name: string | null
    receipt_id: string | null
  }
}
