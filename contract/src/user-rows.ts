import * as z from 'zod/mini'
import { CompanyAccess, Email, Id, Instant, Language, Name, Role } from './common.ts'

/** A staff member. */
export const User = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  company: Id,
  company_name: z.string(),
  role: Role,
  /** Which companies a user may see. It has no effect for admins, who see all of them. */
  access: CompanyAccess,
  /** The language they chose for their screens and emails. Null until they choose one. */
  language: z.nullable(Language),
})
export type User = z.infer<typeof User>

/** A staff member in the list of users. */
export const UserRow = z.extend(User, {
  suspended_at: z.nullable(Instant),
  /** Whether their company is archived, so that none of its people can sign in. */
  company_archived: z.boolean(),
  /** Until when an invited user can accept, which may be in the past. Null for everyone else. */
  invitation_ends_at: z.nullable(Instant),
  /**
   * How many companies are selected for a user besides their own. Only for users with access to selected companies, and only if the
   * caller sees all companies.
   */
  other_companies: z.optional(z.int()),
  /** When a removed user was removed. Their email address is empty. Absent for all others. */
  removed_at: z.optional(Instant),
})
export type UserRow = z.infer<typeof UserRow>

/** A user with details that only admins get. */
export const UserDetails = z.extend(UserRow, {
  created_at: z.optional(Instant),
  /** Null if the user has never signed in. */
  signed_in_at: z.optional(z.nullable(Instant)),
  /** Whether the user has an authenticator app or a passkey. */
  has_second_factor: z.optional(z.boolean()),
  /** When their second factors will be removed, if an admin has requested it. */
  factor_reset_at: z.optional(z.nullable(Instant)),
})
export type UserDetails = z.infer<typeof UserDetails>

/** The highest count of a removal. Higher counts are returned as this number. */
export const maxRemovalCount = 1000

/** What ends when a user is removed. */
export const Removal = z.object({
  /** Links that have not expired: they have to be handed over or closed. */
  links: z.int(),
  /** Unfinished uploads. */
  uploads: z.int(),
  webhooks: z.int(),
})
export type Removal = z.infer<typeof Removal>

/** Another user, and whether they can take over the links of a user. */
export const Successor = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  company_name: z.string(),
  /**
   * Why they can’t take over the links: they haven’t accepted their invitation yet, can’t sign in for another reason, or have no access to
   * the company of a link. Null if they can.
   */
  reason: z.nullable(z.enum(['invited', 'suspended', 'no_access'])),
  /** The name of a company that they have no access to. */
  missing_company: z.nullable(z.string()),
})
export type Successor = z.infer<typeof Successor>

/** Name and email address of a user. A change must contain at least one of them. */
export const detailFields = { name: z.optional(Name), email: z.optional(Email) }
export const requireOneDetail = z.refine<{ name?: string | undefined; email?: string | undefined }>(
  ({ name, email }) => name !== undefined || email !== undefined,
  'Send a name, an email, or both.',
)

/** The link of an invitation, for an admin to pass on. Only if no mail server is set up: otherwise only the invited user gets it. */
export const InvitationLink = z.object({ url: z.string(), ends_at: Instant })
export type InvitationLink = z.infer<typeof InvitationLink>
