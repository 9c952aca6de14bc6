import * as z from 'zod/mini'
import { DownloadTicket, filterId, Instant, listQuery, listReply } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Everything the trail knows of, by what it is about. */
export const actions = [
  'session.started',
  'session.refused',
  'session.throttled',
  'session.ended',
  'session.ended_everywhere',
  'password.changed',
  'password.reset_asked',
  'password.reset',
  'user.created',
  'user.renamed',
  'user.email_changed',
  'user.role_changed',
  'user.suspended',
  'user.restored',
  'company.created',
  'company.renamed',
  'directory.created',
  'directory.renamed',
  'directory.deleted',
  'directory.restored',
  'directory.removed',
  'directory.downloaded',
  'file.uploaded',
  'file.renamed',
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
  'access.refused',
  'activity.exported',
  'activity.pruned',
  'backup.made',
  'backup.restored',
] as const

export const ActivityAction = z.enum(actions, 'There is no such action.')
export type ActivityAction = z.infer<typeof ActivityAction>

/** One thing that happened. Names are as they were then: what they belong to may be gone. */
export const ActivityRow = z.object({
  /** Its place in the chain, counted from 1. */
  id: z.number(),
  at: Instant,
  action: ActivityAction,
  /** Refused: it was tried and did not happen. */
  outcome: z.enum(['done', 'refused']),
  /** Staff, whoever holds a link, a stranger, Neptune itself, or somebody at the machine. */
  who: z.enum(['staff', 'recipient', 'stranger', 'system', 'operator']),
  /** The name of staff; null for others. */
  person: z.nullable(z.string()),
  person_id: z.nullable(z.string()),
  /** From which address. */
  client: z.nullable(z.string()),
  /** The company it belongs to, by its present name. */
  company: z.nullable(z.string()),
  /** What it was done to, in a name: a file, a directory, a link, a person, a company, an address. */
  name: z.nullable(z.string()),
  /** By which link. */
  link: z.nullable(z.string()),
  file: z.nullable(z.string()),
  directory: z.nullable(z.string()),
  /** How large it is, and how many bytes went out. */
  size: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  /** More than 1 where many of a kind within a minute are one line. */
  times: z.number(),
  /** What else is to be known, in a few words: the role before and after, the address a mail went to. */
  note: z.nullable(z.string()),
})
export type ActivityRow = z.infer<typeof ActivityRow>

const day = z.iso.datetime({ offset: true, error: 'This must be a time such as 2026-01-31T00:00:00Z.' })

/** What narrows the trail. */
const filters = {
  person: filterId,
  link: filterId,
  file: filterId,
  directory: filterId,
  company: filterId,
  action: z.optional(ActivityAction),
  outcome: z.optional(z.enum(['done', 'refused'], 'This must be done or refused.')),
  /** From this moment on, and before that one. */
  from: z.optional(day),
  to: z.optional(day),
}

export const ActivityFilters = z.strictObject(filters)
export type ActivityFilters = z.infer<typeof ActivityFilters>

const { limit, cursor, sort } = listQuery(['id'])

export const activity = {
  list: endpoint({
    method: 'GET',
    path: '/v1/activity',
    access: 'staff',
    summary: 'What happened, the newest first: to admins everything, to users what belongs to their company',
    query: z.strictObject({ ...filters, limit, cursor, sort }),
    reply: listReply(ActivityRow),
    errors: ['server.busy'],
  }),
  export: endpoint({
    method: 'POST',
    path: '/v1/activity/export',
    access: 'staff',
    summary: 'An address from which a browser can download what happened, as CSV',
    body: ActivityFilters,
    reply: z.object({ data: DownloadTicket }),
  }),
  download: endpoint({
    method: 'GET',
    path: '/v1/activity/export/{ticket}',
    access: 'public',
    summary: 'Download what happened as CSV, by the address that was asked for',
    params: z.strictObject({ ticket: z.string().check(z.maxLength(2048)) }),
    reply: 'bytes',
    types: ['text/csv'],
    errors: ['file.not_found', 'server.busy'],
  }),
}
