import * as z from 'zod/mini'
import { Email, Flag, filterId, Id, Instant, listQuery, listReply, text } from './common.ts'
import { endpoint } from './endpoint.ts'

export const LinkType = z.enum(
  ['LINK_FILE', 'LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'],
  'This must be LINK_FILE, LINK_DIRECTORY or LINK_EDITABLE_DIRECTORY.',
)
export type LinkType = z.infer<typeof LinkType>

/** `expiring` within a week; looked for as `active`, those are found as well. A `paused` link opens nothing because its maker may not share it any more; resetting it takes it over. */
export const LinkState = z.enum(['active', 'expiring', 'expired', 'paused'], 'This must be active, expiring, expired or paused.')
export type LinkState = z.infer<typeof LinkState>

/** How often, and when last. */
const Uses = z.object({ times: z.number(), last_at: z.nullable(Instant) })

/** A shareable link, as staff see it. Its code is nowhere in it. */
export const LinkRow = z.object({
  key: z.string(),
  /** Of what it shares: a directory or a file. */
  name: z.string(),
  type: LinkType,
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  directory_id: Id,
  file_id: z.nullable(Id),
  date_created: Instant,
  expiry: Instant,
  state: LinkState,
  /** Whom its details were last sent to. */
  email: z.nullable(z.string()),
  /** Who made it. */
  maker: z.string(),
  /** Whether the maker is told of the first download. */
  tells_download: z.boolean(),
  opened: Uses,
  downloaded: Uses,
  uploaded: Uses,
})
export type LinkRow = z.infer<typeof LinkRow>

/** What strangers are told, and what staff who may see the link are told besides. */
const LinkInfo = z.extend(z.partial(LinkRow), { key: z.string(), type: LinkType })

/** What happened with a link: who entered its code, what they took and brought; and what staff did with its code. */
export const LinkEvent = z.object({
  id: Id,
  kind: z.enum(['opened', 'downloaded', 'uploaded', 'code_shown', 'code_sent', 'reset', 'extended', 'asked']),
  at: Instant,
  /** How often in that visit. */
  times: z.number(),
  /** The file, or the address a code was sent to. */
  name: z.nullable(z.string()),
  /** How large it is, and how many of its bytes were completed. */
  size: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  /** From where; null for staff, who have a name. */
  client: z.nullable(z.string()),
  person: z.nullable(z.string()),
})
export type LinkEvent = z.infer<typeof LinkEvent>

/** Somebody outside asks for more time, or for a new code. */
export const LinkAsk = z.object({
  id: Id,
  key: z.string(),
  name: z.string(),
  type: LinkType,
  client: z.nullable(z.string()),
  wants: z.enum(['time', 'code']),
  /** What they said of themselves; nobody has checked it. */
  message: z.nullable(z.string()),
  created_at: Instant,
  expiry: Instant,
  /** Whom a new code would be sent to. */
  email: z.nullable(z.string()),
})
export type LinkAsk = z.infer<typeof LinkAsk>

/** The page of a recipient, in words and numbers. */
export const Access = z.object({
  key: z.string(),
  type: LinkType,
  name: z.string(),
  /** Who shared it: a person and a company. */
  shared_by: z.string(),
  client: z.string(),
  expiry: Instant,
  directory_id: Id,
  file_id: z.nullable(Id),
  /** How many files, and their bytes. */
  files: z.number(),
  size: z.number(),
  /** Staff who look at it as a recipient would. */
  is_preview: z.boolean(),
})
export type Access = z.infer<typeof Access>

/** `2026-12-31`, the end of that day in UTC, or an instant with its zone. */
const Expiry = text(40).check(
  z.regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/,
    'This must be a date such as 2026-12-31, or an instant such as 2026-12-31T23:00:00Z.',
  ),
)
const Key = text(64)
/** Taken as typed: long enough for dashes and spaces. */
const AccessCode = text(64)

const one = { params: z.strictObject({ key: Key }), access: 'staff', errors: ['link.not_found'] } as const
const row = z.object({ data: LinkRow })

export const link = {
  list: endpoint({
    method: 'GET',
    path: '/v1/link',
    access: 'staff',
    summary: 'List links: of every company for admins, of their own for users',
    query: z.object({
      company: filterId,
      state: z.optional(LinkState),
      ...listQuery(['created_at', 'name', 'expiry']),
    }),
    reply: listReply(LinkRow),
  }),
  initialise: endpoint({
    method: 'POST',
    path: '/v1/link/initialise',
    access: 'staff',
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
    errors: ['link.not_reserved', 'directory.not_found', 'file.not_found'],
  }),
  verify: endpoint({
    method: 'POST',
    path: '/v1/link/verify',
    access: 'public',
    summary: 'Enter an access code. What is wrong, unknown or deleted is answered alike',
    body: z.strictObject({ accessKey: Key, accessCode: AccessCode }),
    reply: z.object({
      data: z.object({
        validation: z.boolean(),
        expired: z.boolean(),
        /** The id of the directory or the file. */
        access: z.nullable(z.string()),
        token: z.nullable(z.string()),
      }),
    }),
    errors: ['link.too_many_tries'],
  }),
  reset: endpoint({
    method: 'PATCH',
    path: '/v1/link/reset',
    access: 'staff',
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
    reply: row,
    errors: ['link.not_found', 'link.wrong_code', 'link.too_many_tries', 'mail.too_many'],
  }),
  remove: endpoint({
    ...one,
    method: 'DELETE',
    path: '/v1/link/{key}',
    summary: 'Delete a link. Whoever came in by it is out at once',
    reply: 'none',
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/v1/link/delete',
    access: 'staff',
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
  activity: endpoint({
    ...one,
    method: 'GET',
    path: '/v1/link/{key}/activity',
    summary: 'What happened with a link, the newest first',
    query: z.object(listQuery(['at'])),
    reply: listReply(LinkEvent),
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
        /** Who was told by mail. */
        sentTo: z.nullable(z.string()),
      }),
    }),
    errors: ['link.not_found'],
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
