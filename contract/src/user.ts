import * as z from 'zod/mini'
import {
  CompanyAccess,
  Email,
  Flag,
  Id,
  listQuery,
  listReply,
  Name,
  newAccessFields,
  Role,
  SelectedCompanies,
  text,
} from './common.ts'
import { endpoint } from './endpoint.ts'
import { NewPassword } from './password.ts'
import { detailFields, InvitationLink, Removal, requireOneDetail, Successor, UserDetails, UserRow } from './user-rows.ts'

/** A user must get a password or an invitation. Checked even if other fields are wrong, so that all errors are shown at once. */
const requirePasswordOrInvitation = z.refine<{ password?: string | undefined; invite?: boolean | undefined }>(
  ({ password, invite }) => (password === undefined) === (invite === true),
  {
    path: ['password'],
    error: ({ input }) =>
      (input as { invite?: unknown }).invite === true ? 'Send a password or an invitation, not both.' : 'This field is missing.',
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
)

const CreatedUser = z.object({ data: UserRow, link: z.optional(InvitationLink) })

const byId = { params: z.strictObject({ id: Id }), reply: z.object({ data: UserRow }) }

export const user = {
  list: endpoint({
    method: 'GET',
    path: '/v1/admin/user',
    access: 'staff',
    summary: 'List users: of every company for admins, of the companies they have access to for users',
    query: z.object({
      company: z.optional(Id),
      /** Lists only people of other companies for whom this company is selected. */
      guests_of: z.optional(Id),
      /** `true` lists removed users instead, by whom the audit log can still be filtered. */
      removed: z.optional(z.enum(['true', 'false'], 'This must be true or false.')),
      ...listQuery(['name', 'email', 'created_at']),
    }),
    reply: listReply(UserRow),
    errors: ['server.busy'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/admin/user',
    access: 'admin',
    summary: 'Create a user with a password, or invite them by email to choose one',
    body: z
      .strictObject({
        name: Name,
        email: Email,
        company: Id,
        role: Role,
        password: z.optional(NewPassword),
        /** Instead of `password`: sends the user a link to choose a password. */
        invite: z.optional(Flag),
        access: z.optional(CompanyAccess),
        companies: z.optional(SelectedCompanies),
        /** Ignored. Clients send the current date here, not a date of birth. */
        dateOfBirth: z.optional(text(40)),
      })
      .check(requirePasswordOrInvitation),
    reply: CreatedUser,
    errors: ['session.unconfirmed', 'company.not_found', 'company.archived', 'user.email_taken', 'mail.too_many', 'server.busy'],
  }),
  invite: endpoint({
    method: 'POST',
    path: '/v1/admin/user/{id}/invitation',
    access: 'admin',
    summary: 'Send an invited user a new link. It works for 7 days, and the previous link stops working',
    params: byId.params,
    reply: CreatedUser,
    errors: ['session.unconfirmed', 'user.not_found', 'user.not_invited', 'user.suspended', 'company.archived', 'mail.too_many'],
  }),
  revokeInvitation: endpoint({
    method: 'DELETE',
    path: '/v1/admin/user/{id}/invitation',
    access: 'admin',
    summary: 'Revoke an invitation. The user, who has never signed in, is removed',
    params: byId.params,
    reply: 'none',
    errors: ['user.not_found', 'user.not_invited'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/v1/admin/user/{id}',
    access: 'staff',
    summary:
      'Get a user that the caller may see. Admins also get when the user was created and last signed in, and whether they have a second factor',
    params: byId.params,
    reply: z.object({ data: UserDetails }),
    errors: ['user.not_found'],
  }),
  change: endpoint({
    ...byId,
    method: 'PATCH',
    path: '/v1/admin/user/{id}',
    access: 'admin',
    summary:
      'Change the name or email address of a user. A new address is announced to the old and the new one; for an invited user, the invitation link stops working instead. Sessions stay open',
    body: z.strictObject(detailFields).check(requireOneDetail),
    errors: ['session.unconfirmed', 'user.not_found', 'user.own_details', 'user.email_taken', 'mail.too_many'],
  }),
  changeRole: endpoint({
    method: 'PATCH',
    path: '/v1/admin/role',
    access: 'admin',
    summary: 'Change the role of a user. Their sessions end',
    /** With `id`, the call fails if the address now belongs to someone else. */
    body: z.strictObject({ email: Email, id: z.optional(Id), role: Role }),
    reply: byId.reply,
    errors: ['session.unconfirmed', 'user.not_found', 'user.own_role', 'user.last_admin', 'provider.last_admin'],
  }),
  changeAccess: endpoint({
    ...byId,
    method: 'PATCH',
    path: '/v1/admin/user/{id}/access',
    access: 'admin',
    summary: 'Change which companies a user may see: only their own, selected ones, or all',
    body: z.strictObject({ access: CompanyAccess, companies: z.optional(SelectedCompanies) }),
    errors: ['user.not_found', 'company.not_found'],
  }),
  suspend: endpoint({
    ...byId,
    method: 'POST',
    path: '/v1/admin/user/{id}/suspend',
    access: 'admin',
    summary: 'Suspend a user: they can’t sign in, and their sessions end',
    errors: ['user.not_found', 'user.own_role', 'user.last_admin', 'provider.last_admin'],
  }),
  restore: endpoint({
    ...byId,
    method: 'POST',
    path: '/v1/admin/user/{id}/restore',
    access: 'admin',
    summary: 'Restore a suspended user, so that they can sign in again',
    errors: ['session.unconfirmed', 'user.not_found', 'user.own_role'],
  }),
  removal: endpoint({
    method: 'GET',
    path: '/v1/admin/user/{id}/removal',
    access: 'admin',
    summary: 'Count the links, uploads and webhooks that removing a user would affect',
    params: byId.params,
    reply: z.object({ data: Removal }),
    errors: ['user.not_found'],
  }),
  successors: endpoint({
    method: 'POST',
    path: '/v1/admin/user/{id}/successor',
    access: 'admin',
    summary: 'List who can take over the links of a user, or some of them, and why others can’t',
    params: byId.params,
    query: z.object(listQuery(['name'])),
    body: z.strictObject({
      /** The key of the link to hand over, if not all. */
      link: z.optional(text(64)),
      ...newAccessFields,
    }),
    reply: listReply(Successor),
    errors: ['user.not_found', 'server.busy'],
  }),
  remove: endpoint({
    method: 'POST',
    path: '/v1/admin/user/{id}/remove',
    access: 'admin',
    summary:
      'Remove a user for good: hand over or close their links, and end their sessions, API tokens, webhooks and uploads. Files stay',
    params: byId.params,
    /** One of the two fields is required if the user owns links that have not expired. */
    body: z
      .strictObject({
        /** The new owner of their links. */
        to: z.optional(Id),
        /** Whether to close their links, so that they expire now. */
        closeLinks: z.optional(Flag),
      })
      .check(z.refine(({ to, closeLinks }) => to === undefined || closeLinks !== true, 'Send `to` or `closeLinks`, not both.')),
    reply: 'none',
    errors: ['user.not_found', 'user.own_role', 'user.last_admin', 'provider.last_admin', 'user.owns_links', 'user.no_access'],
  }),
}
