import * as z from 'zod/mini'
import { Email, Id, Instant, listQuery, listReply, Name, Role, text } from './common.ts'
import { endpoint } from './endpoint.ts'
import { NewPassword } from './password.ts'

/** A member of staff, as everyone who may see them does. */
export const User = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  company: Id,
  company_name: z.string(),
  role: Role,
})
export type User = z.infer<typeof User>

/** The same with what the Users page adds: since when they may not sign in. */
export const UserRow = z.extend(User, { suspended_at: z.nullable(Instant) })
export type UserRow = z.infer<typeof UserRow>

/** What somebody is called, and where mails reach them. Whoever changes it sends at least one of them. */
export const details = { name: z.optional(Name), email: z.optional(Email) }
export const changesDetails = z.refine<{ name?: string | undefined; email?: string | undefined }>(
  ({ name, email }) => name !== undefined || email !== undefined,
  'Send a name, an email, or both.',
)

const one = { params: z.strictObject({ id: Id }), reply: z.object({ data: UserRow }) }

export const user = {
  list: endpoint({
    method: 'GET',
    path: '/v1/admin/user',
    access: 'staff',
    summary: 'List staff: everybody for admins, their own company’s for users',
    query: z.object({ company: z.optional(Id), ...listQuery(['name', 'email', 'created_at']) }),
    reply: listReply(UserRow),
    errors: ['server.busy'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/admin/user',
    access: 'admin',
    summary: 'Create a member of staff',
    body: z.strictObject({
      name: Name,
      email: Email,
      company: Id,
      role: Role,
      password: NewPassword,
      /** Accepted because callers send it, and not kept: it holds the day of creation, not a birth date. */
      dateOfBirth: z.optional(text(40)),
    }),
    reply: one.reply,
    errors: ['company.not_found', 'user.email_taken', 'server.busy'],
  }),
  change: endpoint({
    ...one,
    method: 'PATCH',
    path: '/v1/admin/user/{id}',
    access: 'admin',
    summary: 'Change somebody’s name or e-mail address. Both addresses are told; their sessions go on',
    body: z.strictObject(details).check(changesDetails),
    errors: ['user.not_found', 'user.own_details', 'user.email_taken', 'mail.too_many'],
  }),
  changeRole: endpoint({
    method: 'PATCH',
    path: '/v1/admin/role',
    access: 'admin',
    summary: 'Change somebody’s role; their sessions end',
    /** With the `id` only if the address is still that person’s: addresses can change hands. */
    body: z.strictObject({ email: Email, id: z.optional(Id), role: Role }),
    reply: one.reply,
    errors: ['user.not_found', 'user.own_role', 'user.last_admin'],
  }),
  suspend: endpoint({
    ...one,
    method: 'POST',
    path: '/v1/admin/user/{id}/suspend',
    access: 'admin',
    summary: 'Keep somebody from signing in; their sessions end',
    errors: ['user.not_found', 'user.own_role', 'user.last_admin'],
  }),
  restore: endpoint({
    ...one,
    method: 'POST',
    path: '/v1/admin/user/{id}/restore',
    access: 'admin',
    summary: 'Let a suspended member of staff sign in again. Nobody can do this to themselves',
    errors: ['user.not_found', 'user.own_role'],
  }),
}
