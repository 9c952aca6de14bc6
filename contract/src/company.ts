import * as z from 'zod/mini'
import { CompanyBrand } from './brand-rows.ts'
import { Id, Instant, lines, listQuery, listReply, Name } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A company. Every user and every directory belongs to one. */
export const Company = z.object({
  id: Id,
  name: z.string(),
  directories: z.array(z.object({ id: Id, title: z.string() })),
})
export type Company = z.infer<typeof Company>

/** People, directories and links of a company are counted up to this number. A higher count is returned as this number. */
export const maxCountPerCompany = 1000

/** A company in the list of companies, with its people, directories, storage and links. */
export const CompanyRow = z.object({
  id: Id,
  name: z.string(),
  created_at: Instant,
  people: z.number(),
  directories: z.number(),
  /** The storage it uses, including the trash. */
  bytes: z.number(),
  /** How many bytes it may store: its own quota, or the default of all companies. Null without a limit. */
  quota: z.nullable(z.number()),
  /** Links that recipients can open now. If more than `maxCountPerCompany` have not expired, only those that expire first are counted. */
  active_links: z.number(),
  /** When its newest audit entry was written. */
  last_activity_at: z.nullable(Instant),
  archived_at: z.nullable(Instant),
})
export type CompanyRow = z.infer<typeof CompanyRow>

const details = {
  /** Null for people of the company itself, who may not read it unless they are admins. */
  note: z.nullable(z.string()),
  /** The company’s own quota in bytes, which overrides the default. */
  own_quota: z.nullable(z.number()),
  /** The quota of companies that have none of their own. Null without a limit. */
  default_quota: z.nullable(z.number()),
  /** The company’s own name and logos for recipients. Null where it has none. */
  brand: CompanyBrand,
}

export const CompanyDetails = z.extend(CompanyRow, details)
export type CompanyDetails = z.infer<typeof CompanyDetails>

/** A company after a change. */
export const ChangedCompany = z.extend(Company, { ...details, quota: z.nullable(z.number()) })
export type ChangedCompany = z.infer<typeof ChangedCompany>

/** `true` lists archived companies instead. */
const archived = z.optional(z.enum(['true', 'false'], 'This must be true or false.'))

export const noteMax = 5000
/** It can contain line feeds, so it must never be written to a log, a header or an email. */
const Note = lines(noteMax)

const quotaMessage = 'This must be a whole number, 1 or more.'
const Quota = z.nullable(
  z.number(quotaMessage).check(z.int(quotaMessage), z.gte(1, quotaMessage), z.lte(Number.MAX_SAFE_INTEGER, quotaMessage)),
)

interface Change {
  name?: string | undefined
  note?: string | undefined
  quota?: number | null | undefined
  brand_name?: string | null | undefined
}

const requireOneChange = z.refine<Change>(
  (change) => Object.values(change).some((value) => value !== undefined),
  'Send a name, a note, a quota or a brand name.',
)

const params = z.strictObject({ id: Id })

export const company = {
  list: endpoint({
    method: 'GET',
    path: '/v1/admin/company',
    access: 'staff',
    summary: 'List companies with their directories: all companies for admins, those they have access to for users',
    query: z.object({
      /** Lists only the companies that are selected for this user. Only admins can list those of others; others get an empty list. */
      user: z.optional(Id),
      archived,
      ...listQuery(['name', 'created_at']),
    }),
    reply: listReply(Company),
    errors: ['server.busy'],
  }),
  overview: endpoint({
    method: 'GET',
    path: '/v1/company',
    access: 'staff',
    token: 'read',
    summary: 'List companies with their people, directories, storage and links: those that the caller may see',
    query: z.object({ archived, ...listQuery(['name', 'created_at', 'bytes']) }),
    reply: listReply(CompanyRow),
    errors: ['server.busy'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/v1/company/{id}',
    access: 'staff',
    token: 'read',
    summary: 'Get a company, with its own quota, and its note unless the caller is one of its people',
    params,
    reply: z.object({ data: CompanyDetails }),
    errors: ['company.not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/admin/company',
    access: 'admin',
    summary: 'Create a company',
    body: z.strictObject({ name: Name }),
    reply: z.object({ data: Company }),
    errors: ['company.name_taken'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/v1/admin/company/{id}',
    access: 'admin',
    summary: 'Change the name, the note, the quota or the brand name of a company',
    params,
    body: z
      .strictObject({
        name: z.optional(Name),
        note: z.optional(Note),
        /** Null removes the company’s own quota, so that the default applies. */
        quota: z.optional(Quota),
        /** The name that recipients see instead of the organisation’s. Null removes it. */
        brand_name: z.optional(z.nullable(Name)),
      })
      .check(requireOneChange),
    reply: z.object({ data: ChangedCompany }),
    errors: ['company.not_found', 'company.name_taken'],
  }),
  archive: endpoint({
    method: 'POST',
    path: '/v1/admin/company/{id}/archive',
    access: 'admin',
    summary: 'Archive a company: its links stop working, its people can’t sign in, and nothing can be added to it',
    params,
    reply: z.object({ data: CompanyDetails }),
    errors: ['company.not_found', 'company.last_admin', 'provider.last_admin'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/v1/admin/company/{id}/restore',
    access: 'admin',
    summary: 'Restore an archived company, with its links and people',
    params,
    reply: z.object({ data: CompanyDetails }),
    errors: ['company.not_found'],
  }),
}
