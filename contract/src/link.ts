import * as z from 'zod/mini'
import { Email, Expiry, Flag, filterId, Id, listQuery, listReply, text } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Access, LinkAsk, LinkEvent, LinkInfo, LinkRow, LinkState, LinkType } from './link-rows.ts'
import { MailWay } from './mail.ts'

const Key = text(64)
/** Taken as typed: long enough for dashes and spaces. */
const AccessCode = text(64)

const one = { params: z.strictObject({ key: Key }), access: 'staff', errors: ['link.not_found'] } as const
const row = z.object({ data: LinkRow })

/** A link that ends within so many days can be given more of them. */
export const extendableDays = 90

export const link = {
  list: endpoint({
    method: 'GET',
    path: '/v1/link',
    access: 'staff',
    token: 'read',
    summary: 'List links: of every company for admins, of their own for users',
    query: z.object({
      company: filterId,
      state: z.optional(LinkState),
      ...listQuery(['created_at', 'name', 'expiry']),
    }),
    reply: listReply(LinkRow),
    errors: ['server.busy'],
  }),
  initialise: endpoint({
    method: 'POST',
    path: '/v1/link/initialise',
    access: 'staff',
    token: 'write',
    summary: 'Reserve a key and an access code for a new link, or a new code for a link that is there. Kept for an hour',
    body: z.strictObject({
      type: z._default(z.enum(['INITIALISE', 'RESET'], 'This must be INITIALISE or RESET.'), 'INITIALISE'),
      /** For a new link. */
      company: z.optional(Id),
      directory: z.optional(Id),
      /** For a new code. */
      accessKey: z.optional(Key),
    }),
    reply: z.object({ data: z.object({ key: z.string(), accessCode: z.string() }) }),
    errors: ['directory.not_found', 'link.not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/link',
    access: 'staff',
    token: 'write',
    summary: 'Create a link, with a key and a code that were reserved for it',
    body: z.strictObject({
      linkType: LinkType,
      /** For the two kinds of directory links, and if one likes for a file link. */
      directory: z.optional(Id),
      /** For a file link alone. */
      file: z.optional(Id),
      key: Key,
      accessCode: AccessCode,
      expiry: Expiry,
      /** Tell me of the first download. */
      tellDownload: z.optional(Flag),
    }),
    reply: row,
    errors: ['link.not_reserved', 'link.already_created', 'directory.not_found', 'file.not_found'],
  }),
  verify: endpoint({
    method: 'POST',
    path: '/v1/link/verify',
    access: 'public',
    summary: 'Verify an access code. A wrong code, an unknown key and a deleted link get the same answer',
    body: z.strictObject({ accessKey: Key, accessCode: AccessCode }),
    reply: z.object({
      data: z.object({
        validation: z.boolean(),
        expired: z.boolean(),
        /** The id of the directory or the file. */
        access: z.nullable(z.string()),
        token: z.nullable(z.string()),
        /** Whether the code is right but the link is paused and cannot be opened now. Absent otherwise. */
        paused: z.optional(z.literal(true)),
      }),
    }),
    errors: ['link.too_many_tries'],
  }),
  reset: endpoint({
    method: 'PATCH',
    path: '/v1/link/reset',
    access: 'staff',
    token: 'write',
    summary: 'Give a link the new code that was reserved for it. The old one, and whoever came in by it, is out at once',
    body: z.strictObject({ accessKey: Key, accessCode: AccessCode }),
    reply: row,
    errors: ['link.not_found', 'link.not_reserved'],
  }),
  email: endpoint({
    method: 'POST',
    path: '/v1/link/email',
    access: 'staff',
    summary: 'Send a link’s address and code by mail',
    body: z.strictObject({
      key: Key,
      /** If given, it must be the link’s own; the server knows it either way. */
      accessCode: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
      targetEmail: Email,
      /** False leaves the code out, to be told by telephone. */
      includeCode: z._default(Flag, true),
    }),
    reply: z.extend(row, { way: MailWay }),
    errors: ['link.not_found', 'link.wrong_code', 'link.too_many_tries', 'mail.too_many'],
  }),
  remove: endpoint({
    ...one,
    method: 'DELETE',
    path: '/v1/link/{key}',
    token: 'write',
    summary: 'Delete a link. Whoever came in by it is out at once',
    reply: 'none',
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/v1/link/delete',
    access: 'staff',
    token: 'write',
    summary: 'Delete up to 200 links: all of them or none',
    body: z.strictObject({
      keys: z.array(Key).check(z.minLength(1, 'This must not be empty.'), z.maxLength(200, 'At most 200 at once.')),
    }),
    reply: 'none',
    errors: ['link.not_found'],
  }),
  info: endpoint({
    method: 'GET',
    path: '/v1/link/{id}/info',
    access: 'public',
    identifies: true,
    token: 'read',
    summary: 'What a link is: key and type for anybody who has the key, everything for staff who may see it',
    params: z.strictObject({ id: Key }),
    reply: z.object({ data: LinkInfo }),
    errors: ['link.not_found'],
  }),
  code: endpoint({
    ...one,
    method: 'POST',
    path: '/v1/link/{key}/code',
    summary: 'Show a link’s access code. It is recorded who saw it',
    reply: z.object({ data: z.object({ accessCode: z.string() }) }),
  }),
  preview: endpoint({
    ...one,
    method: 'POST',
    path: '/v1/link/{key}/preview',
    summary: 'A token that sees what a recipient sees. It takes no uploads, and nothing done with it is counted',
    reply: z.object({ data: z.object({ token: z.string() }) }),
    errors: ['link.not_found', 'link.expired'],
  }),
  extend: endpoint({
    ...one,
    method: 'POST',
    path: '/v1/link/{key}/extend',
    token: 'write',
    summary: 'Give a link that ends within ninety days thirty more. Whoever it was sent to is told',
    reply: row,
    errors: ['link.not_found', 'link.not_ending', 'mail.too_many'],
  }),
  activity: endpoint({
    ...one,
    method: 'GET',
    path: '/v1/link/{key}/activity',
    token: 'read',
    summary: 'What happened with a link, the newest first',
    query: z.object(listQuery(['at'])),
    reply: listReply(LinkEvent),
    errors: ['link.not_found', 'server.busy'],
  }),
  ask: endpoint({
    method: 'POST',
    path: '/v1/ask',
    access: 'public',
    summary: 'Ask whoever made a link for more time or a new code. The answer is the same whether there is such a link or not',
    body: z.strictObject({
      accessKey: Key,
      wants: z.enum(['time', 'code'], 'This must be time or code.'),
      message: z.optional(text(200)),
    }),
    reply: 'none',
    errors: ['link.too_many_tries'],
  }),
  asks: endpoint({
    method: 'GET',
    path: '/v1/ask',
    access: 'staff',
    token: 'read',
    summary: 'What recipients ask for and nobody has answered yet, the newest first',
    reply: z.object({ data: z.array(LinkAsk) }),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/v1/ask/{id}',
    access: 'staff',
    summary:
      'Answer such a question: give thirty more days or a new code, which goes to the address the link was sent to; or neither',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({ grant: Flag }),
    reply: z.object({
      data: z.object({
        link: LinkRow,
        /** The new code, if one was made. */
        accessCode: z.nullable(z.string()),
        /** Who was told by mail, and which way that mail goes. */
        sentTo: z.nullable(z.string()),
        way: MailWay,
      }),
    }),
    errors: ['link.not_found', 'mail.too_many'],
  }),
  access: endpoint({
    method: 'GET',
    path: '/v1/access',
    access: 'link',
    summary: 'What the link of this token shares',
    reply: z.object({ data: Access }),
    errors: ['file.not_found', 'directory.not_found'],
  }),
}
