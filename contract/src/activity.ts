import * as z from 'zod/mini'
import { DownloadTicket, FilterId, Instant, listQuery, listReply } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Every action in the audit log, grouped by subject. */
export const actions = [
  'session.started',
  'session.refused',
  'session.unavailable',
  'session.throttled',
  'session.ended',
  'session.ended_everywhere',
  'session.confirmed',
  'password.changed',
  'password.reset_asked',
  'password.link_created',
  'password.reset',
  'factor.started',
  'factor.added',
  'factor.renamed',
  'factor.removed',
  'factor.copied',
  'factor.codes_renewed',
  'factor.code_used',
  'factor.browsers_forgotten',
  'factor.reset_requested',
  'factor.reset_cancelled',
  'factor.reset',
  'session.link_created',
  'provider.created',
  'provider.changed',
  'provider.deleted',
  'provider.linked',
  'provider.unlinked',
  'user.created',
  'user.invited',
  'user.invitation_resent',
  'user.invitation_revoked',
  'user.invitation_accepted',
  'user.renamed',
  'user.email_changed',
  'user.language_changed',
  'user.role_changed',
  'user.access_changed',
  'user.suspended',
  'user.restored',
  'user.removed',
  'company.created',
  'company.renamed',
  'company.note_changed',
  'company.quota_changed',
  'company.quota_warned',
  'company.brand_changed',
  'company.archived',
  'company.restored',
  'directory.created',
  'directory.renamed',
  'directory.moved',
  'directory.copied',
  'directory.deleted',
  'directory.restored',
  'directory.removed',
  'directory.downloaded',
  'file.uploaded',
  'file.replaced',
  'file.version_restored',
  'file.version_deleted',
  'file.version_removed',
  'file.renamed',
  'file.moved',
  'file.copied',
  'file.deleted',
  'file.restored',
  'file.removed',
  'file.downloaded',
  'file.previewed',
  'file.damaged',
  'upload.cancelled',
  'link.created',
  'link.opened',
  'link.refused',
  'link.unavailable',
  'link.throttled',
  'link.previewed',
  'link.code_shown',
  'link.code_sent',
  'link.address_sent',
  'link.reset',
  'link.asked',
  'link.extended',
  'link.handed_over',
  'link.closed',
  'link.declined',
  'link.deleted',
  'receipt.issued',
  'receipt.sent',
  'token.created',
  'token.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.paused',
  'webhook.tested',
  'webhook.deleted',
  'mail.tested',
  'mail.repeated',
  'settings.changed',
  'access.refused',
  'activity.exported',
  'activity.pruned',
  'backup.made',
  'backup.restored',
] as const

export const ActivityAction = z.enum(actions, 'Unknown action.')
export type ActivityAction = z.infer<typeof ActivityAction>

/** An audit entry. Names are stored as they were at the time, because their objects may have been renamed or deleted since. */
export const ActivityRow = z.object({
  /**
   * The position in the hash chain of the log, counted from 1. Callers who don’t see all companies get another number instead, because
   * positions count the entries of all companies.
   */
  id: z.number(),
  at: Instant,
  action: ActivityAction,
  /** `refused`: attempted, but not allowed. */
  outcome: z.enum(['done', 'refused']),
  /**
   * `recipient`: someone who entered the code of a link. `stranger`: anyone else who is not signed in. `system`: Neptune itself.
   * `operator`: someone at the command line.
   */
  who: z.enum(['staff', 'recipient', 'stranger', 'system', 'operator']),
  /** The staff member's name; null for others. */
  person: z.nullable(z.string()),
  person_id: z.nullable(z.string()),
  /** The client's IP address, in some entries only its IPv6 /64 network; `several` if a combined entry has more than one. */
  client: z.nullable(z.string()),
  /** The current name of the company that the entry belongs to. */
  company: z.nullable(z.string()),
  /**
   * For recipients and strangers: the address that the link was last sent to, or would have been sent to with a mail server. Anyone can have
   * the link and its code, so this doesn’t prove who it was.
   */
  sent_to: z.nullable(z.string()),
  /** The name of the target, such as a file, a directory or a company. For a user, the email address. */
  name: z.nullable(z.string()),
  /** The key of the link that was used or changed. */
  link: z.nullable(z.string()),
  /** The id of the file, and of the directory. */
  file: z.nullable(z.string()),
  directory: z.nullable(z.string()),
  /** The size of the target in bytes. */
  size: z.nullable(z.number()),
  /** The number of bytes sent. */
  bytes: z.nullable(z.number()),
  /** How many actions this entry stands for. Repeated actions of the same kind are combined into one entry. */
  times: z.number(),
  /** Details, such as the role before and after, or the address a message was sent to. */
  note: z.nullable(z.string()),
})
export type ActivityRow = z.infer<typeof ActivityRow>

const Timestamp = z.iso.datetime({ offset: true, error: 'This must be a time such as 2026-01-31T00:00:00Z.' })

/** Filters of the audit log. */
const filters = {
  person: FilterId,
  link: FilterId,
  file: FilterId,
  directory: FilterId,
  company: FilterId,
  action: z.optional(ActivityAction),
  outcome: z.optional(z.enum(['done', 'refused'], 'This must be done or refused.')),
  /** Entries at or after `from`, and before `to`. */
  from: z.optional(Timestamp),
  to: z.optional(Timestamp),
}

export const ActivityFilters = z.strictObject(filters)
export type ActivityFilters = z.infer<typeof ActivityFilters>

const { limit, cursor, sort } = listQuery(['id'])

export const activity = {
  list: endpoint({
    method: 'GET',
    path: '/v1/activity',
    access: 'staff',
    summary:
      'List audit entries, newest first. Admins get those of every company, users those of the companies they have access to',
    query: z.strictObject({ ...filters, limit, cursor, sort }),
    reply: listReply(ActivityRow),
    errors: ['server.busy'],
  }),
  export: endpoint({
    method: 'POST',
    path: '/v1/activity/export',
    access: 'staff',
    summary: 'Create a URL from which a browser can download the audit log as CSV',
    body: ActivityFilters,
    reply: z.object({ data: DownloadTicket }),
  }),
  download: endpoint({
    method: 'GET',
    path: '/v1/activity/export/{ticket}',
    access: 'public',
    summary: 'Download the audit log as CSV, with a ticket from POST /v1/activity/export',
    params: z.strictObject({ ticket: z.string().check(z.maxLength(2048)) }),
    reply: 'bytes',
    types: ['text/csv'],
    errors: ['file.not_found', 'server.busy'],
  }),
}
