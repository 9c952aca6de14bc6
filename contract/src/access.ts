import * as z from 'zod/mini'
import { text } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Access, LinkInfo } from './link-rows.ts'

/** The key of a link. */
export const Key = text(64)
/** An access code as typed, so it may contain dashes and spaces. */
export const AccessCode = text(64)

/** The calls for recipients of a link. Separate from the other calls about links, so that the page for recipients loads only these. */
export const access = {
  info: endpoint({
    method: 'GET',
    path: '/v1/link/{id}/info',
    access: 'public',
    identifiesCaller: true,
    token: 'read',
    summary: 'Get a link: key and type for anyone who has the key, all details for staff with access to it',
    params: z.strictObject({ id: Key }),
    reply: z.object({ data: LinkInfo }),
    errors: ['link.not_found'],
  }),
  verify: endpoint({
    method: 'POST',
    path: '/v1/link/verify',
    access: 'public',
    summary: 'Verify an access code. A wrong code, an unknown key and a deleted link get the same reply',
    body: z.strictObject({ accessKey: Key, accessCode: AccessCode }),
    reply: z.object({
      data: z.object({
        validation: z.boolean(),
        expired: z.boolean(),
        /** The id of the shared directory or file. For several files, the id of the directory they were selected in. */
        access: z.nullable(z.string()),
        token: z.nullable(z.string()),
        /** Whether the code is right but the link is paused and cannot be opened now. Absent otherwise. */
        paused: z.optional(z.literal(true)),
      }),
    }),
    errors: ['link.too_many_tries'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/v1/access',
    access: 'link',
    summary: 'Get what the link of this token shares',
    reply: z.object({ data: Access }),
    errors: ['file.not_found', 'directory.not_found'],
  }),
  ask: endpoint({
    method: 'POST',
    path: '/v1/ask',
    access: 'public',
    summary: 'Ask the owner of a link for more time or a new access code. The reply is the same whether or not the link exists',
    body: z.strictObject({
      accessKey: Key,
      wants: z.enum(['time', 'code'], 'This must be time or code.'),
      message: z.optional(text(200)),
    }),
    reply: 'none',
    errors: ['link.too_many_tries'],
  }),
}
