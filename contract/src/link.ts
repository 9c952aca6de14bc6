import * as z from 'zod/mini'
import { AccessCode, Key } from './access.ts'
import { Email, Expiry, FilterId, Flag, Id, Language, lines, listQuery, listReply, newAccessFields } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AffectedLinks, LinkAsk, LinkEvent, LinkFilterState, LinkRow, LinkType } from './link-rows.ts'
import { MailWay } from './mail.ts'

const Keys = z.array(Key).check(z.minLength(1, 'This must not be empty.'), z.maxLength(200, 'Send at most 200 at once.'))

/** The maximum number of files in a link to several files. */
export const maxLinkFiles = 500

/** The maximum length of a personal message in the email with the details of a link. */
export const linkMessageMax = 1000

const byKey = { params: z.strictObject({ key: Key }), access: 'staff', errors: ['link.not_found'] } as const
const row = z.object({ data: LinkRow })

/** The errors with which calls reject a link that is missing or doesn't work. */
const stoppedLinkErrors = [
  'link.not_found',
  'link.company_archived',
  'link.target_deleted',
  'version.not_found',
  'link.expired',
] as const

export const link = {
  list: endpoint({
    method: 'GET',
    path: '/v1/link',
    access: 'staff',
    token: 'read',
    summary: 'List links: of every company for admins, of the companies they have access to for users',
    query: z.object({
      company: FilterId,
      /** Limit the list to the links to a directory and its files, to one file, or of one owner. */
      directory: FilterId,
      file: FilterId,
      owner: FilterId,
      state: z.optional(LinkFilterState),
      ...listQuery(['created_at', 'name', 'expiry']),
    }),
    reply: listReply(LinkRow),
    errors: ['server.busy'],
  }),
  affected: endpoint({
    method: 'POST',
    path: '/v1/link/affected',
    access: 'staff',
    token: 'read',
    summary:
      'List the links that would stop working if files, a version or a directory were deleted, files and folders moved to another company, a user suspended or given less access, or a company archived',
    body: z
      .strictObject({
        files: z.optional(
          z.array(Id).check(z.minLength(1, 'This must not be empty.'), z.maxLength(200, 'Send at most 200 at once.')),
        ),
        /** An earlier version of a file. */
        version: z.optional(z.strictObject({ file: Id, id: Id })),
        directory: z.optional(Id),
        /** The folders to move. Only with `to`, with or without `files`. */
        directories: z.optional(
          z.array(Id).check(z.minLength(1, 'This must not be empty.'), z.maxLength(200, 'Send at most 200 at once.')),
        ),
        /** The directory to move to. Without it, the files or the directory are deleted. */
        to: z.optional(Id),
        owner: z.optional(Id),
        company: z.optional(Id),
        ...newAccessFields,
      })
      .check(
        z.refine(
          ({ files, version, directory, directories, to, owner, company }) =>
            [to === undefined ? files : (files ?? directories), version, directory, owner, company].filter(
              (value) => value !== undefined,
            ).length === 1,
          'Send exactly one of files, version, directory, owner and company.',
        ),
        z.refine(
          ({ directories, to, directory, owner, company }) =>
            to === undefined ? directories === undefined : (directory ?? owner ?? company) === undefined,
          'Send directories only with to, and to only with files or directories.',
        ),
        z.refine(
          ({ owner, access, companies }) => (access ?? companies) === undefined || owner !== undefined,
          'Send access only with owner.',
        ),
      ),
    reply: z.object({ data: AffectedLinks }),
  }),
  initialise: endpoint({
    method: 'POST',
    path: '/v1/link/initialise',
    access: 'staff',
    token: 'write',
    summary:
      'Reserve a key and an access code for a new link, or a new code for an existing link. The reservation expires after an hour',
    body: z.strictObject({
      type: z._default(z.enum(['INITIALISE', 'RESET'], 'This must be INITIALISE or RESET.'), 'INITIALISE'),
      /** Required for INITIALISE. */
      company: z.optional(Id),
      directory: z.optional(Id),
      /** Required for RESET. */
      accessKey: z.optional(Key),
    }),
    reply: z.object({ data: z.object({ key: z.string(), accessCode: z.string() }) }),
    errors: ['directory.not_found', 'company.archived', 'link.not_found', 'link.company_archived'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/link',
    access: 'staff',
    token: 'write',
    summary: 'Create a link with a reserved key and access code',
    body: z.strictObject({
      linkType: LinkType,
      /** Required for directory links and `files`, optional for `file`. */
      directory: z.optional(Id),
      /** Only for file links. */
      file: z.optional(Id),
      /**
       * Instead of `file`, several files in `directory` or the folders below. Recipients see them as a list, always with their current
       * versions.
       */
      files: z.optional(
        z
          .array(Id)
          .check(z.minLength(1, 'This must not be empty.'), z.maxLength(maxLinkFiles, `Send at most ${maxLinkFiles} at once.`)),
      ),
      /** The version of the file to pin the link to. Without it, recipients always get the current one. */
      version: z.optional(Id),
      key: Key,
      accessCode: AccessCode,
      expiry: Expiry,
      /** Whether to notify the owner about the first download. */
      tellDownload: z.optional(Flag),
    }),
    reply: row,
    errors: [
      'link.not_reserved',
      'link.already_created',
      'directory.not_found',
      'file.not_found',
      'version.not_found',
      'company.archived',
    ],
  }),
  reset: endpoint({
    method: 'PATCH',
    path: '/v1/link/reset',
    access: 'staff',
    token: 'write',
    summary: 'Replace the access code of a link with the reserved one. The old code and all visits begun with it end at once',
    body: z.strictObject({ accessKey: Key, accessCode: AccessCode }),
    reply: row,
    errors: ['link.not_found', 'link.not_reserved', 'link.company_archived'],
  }),
  email: endpoint({
    method: 'POST',
    path: '/v1/link/email',
    access: 'staff',
    summary: 'Send the URL and access code of a link by email',
    body: z.strictObject({
      key: Key,
      /** If given, it must be the link's current code. */
      accessCode: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
      targetEmail: Email,
      /** If false, the message contains only the URL, so that the code can be passed on by phone. */
      includeCode: z._default(Flag, true),
      /** The language of the message, unless a user with this address chose one. Otherwise that of the organisation. */
      language: z.optional(Language),
      /** A personal message from the caller, as plain text. Its line breaks are kept. */
      message: z.optional(lines(linkMessageMax)),
    }),
    reply: z.extend(row, { way: MailWay }),
    errors: [...stoppedLinkErrors, 'link.wrong_code', 'link.too_many_tries', 'mail.too_many'],
  }),
  remove: endpoint({
    ...byKey,
    method: 'DELETE',
    path: '/v1/link/{key}',
    token: 'write',
    summary: 'Delete a link. All of its visits end at once',
    reply: 'none',
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/v1/link/delete',
    access: 'staff',
    token: 'write',
    summary: 'Delete up to 200 links: all of them or none',
    body: z.strictObject({ keys: Keys }),
    reply: 'none',
    errors: ['link.not_found'],
  }),
  code: endpoint({
    ...byKey,
    method: 'POST',
    path: '/v1/link/{key}/code',
    summary: 'Show the access code of a link. The audit log records who saw it',
    reply: z.object({ data: z.object({ accessCode: z.string() }) }),
  }),
  preview: endpoint({
    ...byKey,
    method: 'POST',
    path: '/v1/link/{key}/preview',
    summary: 'Create a token to view a link as a recipient would. It can’t upload, and its activity isn’t counted',
    reply: z.object({ data: z.object({ token: z.string() }) }),
    errors: ['link.not_found', 'link.expired'],
  }),
  extend: endpoint({
    ...byKey,
    method: 'POST',
    path: '/v1/link/{key}/extend',
    token: 'write',
    summary:
      'Extend a link, and notify the address that it was sent to. Without `expiry`, a link that expires within 90 days is extended by 30 days, or as far as the settings allow',
    /** The new expiry, later than the current one. */
    body: z._default(z.strictObject({ expiry: z.optional(Expiry) }), {}),
    reply: row,
    errors: [
      'link.not_found',
      'link.company_archived',
      'link.target_deleted',
      'version.not_found',
      'link.not_ending',
      'link.max_lifetime',
      'mail.too_many',
    ],
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/v1/admin/user/{id}/handover',
    access: 'admin',
    summary:
      'Hand over the links of a user to someone else, who becomes their owner: all of them, up to 200 of them, or those that the user may not own with less access',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({
      /** The new owner. */
      to: Id,
      /** The links to hand over, if not all. Those that the user doesn’t own are ignored. */
      keys: z.optional(Keys),
      ...newAccessFields,
    }),
    reply: z.object({ data: z.object({ links: z.int() }) }),
    errors: ['user.not_found', 'user.no_access'],
  }),
  activity: endpoint({
    ...byKey,
    method: 'GET',
    path: '/v1/link/{key}/activity',
    token: 'read',
    summary: 'List the activity of a link, newest first',
    query: z.object(listQuery(['at'])),
    reply: listReply(LinkEvent),
    errors: ['link.not_found', 'server.busy'],
  }),
  asks: endpoint({
    method: 'GET',
    path: '/v1/ask',
    access: 'staff',
    token: 'read',
    summary: 'List the open requests of recipients, newest first. Those about links of archived companies are left out',
    reply: z.object({ data: z.array(LinkAsk) }),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/v1/ask/{id}',
    access: 'staff',
    summary:
      'Answer a recipient’s request: decline it, or grant 30 more days, an extension until `expiry`, or a new access code, and notify the address that the link was sent to',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({ grant: Flag, expiry: z.optional(Expiry) }),
    reply: z.object({
      data: z.object({
        link: LinkRow,
        /** The new access code, if one was granted. */
        accessCode: z.nullable(z.string()),
        /** The address that was notified, and how messages are sent. */
        sentTo: z.nullable(z.string()),
        way: MailWay,
      }),
    }),
    errors: [...stoppedLinkErrors, 'link.max_lifetime', 'mail.too_many'],
  }),
}
