import * as z from 'zod/mini'
import { Id, listQuery, listReply, Name } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A company. Every user and every directory belongs to one. */
export const Company = z.object({
  id: Id,
  name: z.string(),
  directories: z.array(z.object({ id: Id, title: z.string() })),
})
export type Company = z.infer<typeof Company>

const body = z.strictObject({ name: Name })

export const company = {
  list: endpoint({
    method: 'GET',
    path: '/v1/admin/company',
    access: 'staff',
    summary: 'List companies with their directories: all companies for admins, those they have access to for users',
    query: z.object({
      /** Lists only the companies that are selected for this user. Only admins can list those of others; others get an empty list. */
      user: z.optional(Id),
      ...listQuery(['name', 'created_at']),
    }),
    reply: listReply(Company),
    errors: ['server.busy'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/admin/company',
    access: 'admin',
    summary: 'Create a company',
    body,
    reply: z.object({ data: Company }),
    errors: ['company.name_taken'],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/v1/admin/company/{id}',
    access: 'admin',
    summary: 'Rename a company',
    params: z.strictObject({ id: Id }),
    body,
    reply: z.object({ data: Company }),
    errors: ['company.not_found', 'company.name_taken'],
  }),
}
