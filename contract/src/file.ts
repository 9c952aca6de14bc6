import * as z from 'zod/mini'
import { DownloadTicket, filterId, Id, Instant, listQuery, listReply, Title, text } from './common.ts'
import { fileTypes, previewTypes } from './content-types.ts'
import { endpoint } from './endpoint.ts'

/** What kinds of files one can look for. */
export const FileKind = z.enum(
  ['image', 'pdf', 'text', 'office', 'archive', 'media', 'other'],
  'This must be image, pdf, text, office, archive, media or other.',
)
export type FileKind = z.infer<typeof FileKind>

/** A file, as lists show it. */
export const FileRow = z.object({
  id: Id,
  file_name: z.string(),
  content_type: z.string(),
  kind: FileKind,
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  /** The directory's name, and its id. */
  directory: z.nullable(z.string()),
  directory_id: Id,
  size: z.number(),
  sha256: z.string(),
  /** Its bytes on the server are not those that were uploaded, so they are sent to nobody. */
  damaged: z.boolean(),
  /** A picture for its tile: an address that needs no header, good for an hour. */
  image: z.nullable(z.string()),
  date_created: Instant,
  /** Since when it is in the trash. */
  deleted_at: z.nullable(Instant),
  /** When the trash forgets it. */
  gone_at: z.nullable(Instant),
})
export type FileRow = z.infer<typeof FileRow>

/** As what a file can be looked at without saving it. */
export const Shown = z.enum(['image', 'pdf', 'text', 'audio', 'video'])
export type Shown = z.infer<typeof Shown>

/** What to do with a name that is taken: keep both, the new one as `name (1).ext`, or move the old one to the trash. */
const Conflict = z.enum(['keep', 'replace'], 'This must be keep or replace.')

const one = { params: z.strictObject({ id: Id }), access: 'staff' } as const
const several = z.strictObject({
  ids: z.array(Id).check(z.minLength(1, 'This must not be empty.'), z.maxLength(200, 'At most 200 at once.')),
})
const row = z.object({ data: FileRow })
const rows = z.object({ data: z.array(FileRow) })

/**
 * A name that is taken: the name as requested, the file that has it, and how many live links share that file (at most 100).
 */
const Clash = z.object({ name: z.string(), id: Id, file_name: z.string(), links: z.number() })

export const file = {
  clashes: endpoint({
    method: 'POST',
    path: '/v1/file/clash',
    access: 'staff',
    token: 'read',
    summary: 'Which of up to 200 names are taken in a directory, and how many live links would end if those files were replaced',
    body: z.strictObject({
      directory: Id,
      names: z.array(Title).check(z.minLength(1, 'This must not be empty.'), z.maxLength(200, 'At most 200 at once.')),
    }),
    reply: z.object({ data: z.array(Clash) }),
    errors: ['directory.not_found'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/file',
    access: 'shared',
    token: 'read',
    summary: 'List files: of every company for admins, of their own for users, of its directory for a link',
    query: z.object({
      directory: filterId,
      company: filterId,
      kind: z.optional(FileKind),
      trash: z.optional(z.enum(['true', 'false'], 'This must be true or false.')),
      ...listQuery(['created_at', 'name', 'size']),
    }),
    reply: listReply(FileRow),
    errors: ['server.busy'],
  }),
  upload: endpoint({
    method: 'PUT',
    path: '/v1/file/{directory}/{filename}',
    access: 'shared',
    token: 'write',
    summary: 'Upload a file: multipart/form-data with one field `file`',
    params: z.strictObject({ directory: Id, filename: z.string() }),
    query: z.object({
      /** If given, it must be the directory's company. */
      company: filterId,
      conflict: z._default(Conflict, 'keep'),
      /** A link says what it is; if it says something else than it is, it is refused. */
      type: z.optional(text(64)),
      key: z.optional(text(64)),
    }),
    body: 'multipart',
    reply: row,
    errors: [
      'directory.not_found',
      'file.name_invalid',
      'file.too_large',
      'file.multipart',
      'storage.full',
      'company.full',
      'server.busy',
      'storage.unavailable',
      'upload.too_many',
      'link.forbidden',
      'link.full',
    ],
  }),
  download: endpoint({
    ...one,
    access: 'shared',
    method: 'GET',
    path: '/v1/file/{id}',
    token: 'read',
    summary: 'Download a file. Takes Range and If-Range, and answers HEAD',
    reply: 'bytes',
    types: fileTypes,
    errors: ['file.not_found', 'file.damaged', 'range.unsatisfiable', 'storage.unavailable'],
  }),
  ticket: endpoint({
    ...one,
    access: 'shared',
    method: 'POST',
    path: '/v1/file/{id}/ticket',
    token: 'read',
    summary: 'An address from which a browser can download this one file, for an hour',
    reply: z.object({ data: DownloadTicket }),
    errors: ['file.not_found'],
  }),
  preview: endpoint({
    ...one,
    access: 'shared',
    method: 'POST',
    path: '/v1/file/{id}/preview',
    summary: 'As what this file can be looked at, and from which address, for an hour; both null if it can only be saved',
    reply: z.object({ data: z.object({ as: z.nullable(Shown), url: z.nullable(z.string()) }) }),
    errors: ['file.not_found', 'file.damaged'],
  }),
  rename: endpoint({
    ...one,
    method: 'PATCH',
    path: '/v1/file/{id}',
    token: 'write',
    summary: 'Give a file another name',
    body: z.strictObject({ file_name: Title }),
    reply: row,
    errors: ['file.not_found', 'file.name_invalid', 'file.name_taken'],
  }),
  remove: endpoint({
    ...one,
    method: 'DELETE',
    path: '/v1/file/{id}',
    token: 'write',
    summary: 'Move a file to the trash',
    reply: 'none',
    errors: ['file.not_found'],
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/v1/file/delete',
    access: 'staff',
    token: 'write',
    summary: 'Move up to 200 files to the trash: all of them or none',
    body: several,
    reply: 'none',
    errors: ['file.not_found'],
  }),
  restoreMany: endpoint({
    method: 'POST',
    path: '/v1/file/restore',
    access: 'staff',
    token: 'write',
    summary: 'Take up to 200 files out of the trash. One whose name is taken by now gets a number',
    body: several,
    reply: rows,
    errors: ['file.not_found', 'directory.not_found'],
  }),
  thumbnail: endpoint({
    method: 'GET',
    path: '/v1/thumbnail/{ticket}',
    access: 'public',
    summary: 'The small picture of a file, from the address in `image`',
    params: z.strictObject({ ticket: text(200) }),
    reply: 'bytes',
    types: ['image/webp'],
    errors: ['file.not_found', 'file.damaged', 'range.unsatisfiable', 'storage.unavailable'],
  }),
  /** What a ticket opens. It stands for a person and dies with the session it was made in. */
  byTicket: endpoint({
    method: 'GET',
    path: '/v1/download/{ticket}',
    access: 'public',
    summary: 'Download what a ticket was made for. Takes Range and If-Range, and answers HEAD',
    params: z.strictObject({ ticket: text(200) }),
    reply: 'bytes',
    types: fileTypes,
    redirects: true,
    errors: [
      'file.not_found',
      'file.damaged',
      'directory.damaged',
      'range.unsatisfiable',
      'download.too_many',
      'server.busy',
      'storage.full',
      'storage.unavailable',
    ],
  }),
  byPreview: endpoint({
    method: 'GET',
    path: '/v1/preview/{ticket}/{name}',
    access: 'public',
    summary: 'What a browser shows of a file, from the address that was asked for. Takes Range and If-Range, and answers HEAD',
    /** The name is for the eye: the viewers of browsers show it as a title. */
    params: z.strictObject({ ticket: text(200), name: z.string() }),
    reply: 'bytes',
    types: previewTypes,
    errors: ['file.not_found', 'file.damaged', 'range.unsatisfiable', 'storage.unavailable'],
  }),
}
