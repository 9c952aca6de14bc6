import * as z from 'zod/mini'
import { DownloadTicket, FilterId, Id, Instant, listQuery, listReply, PathItem, Title, text } from './common.ts'
import { fileTypes, previewTypes } from './content-types.ts'
import { endpoint } from './endpoint.ts'
import { exportFiles } from './file-export.ts'

/** The kinds of files that lists can be filtered by. */
export const FileKind = z.enum(
  ['image', 'pdf', 'text', 'office', 'archive', 'media', 'other'],
  'This must be image, pdf, text, office, archive, media or other.',
)
export type FileKind = z.infer<typeof FileKind>

export const FileRow = z.object({
  id: Id,
  file_name: z.string(),
  content_type: z.string(),
  kind: FileKind,
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  /** Whether its company is archived. It can be read and downloaded then, but nothing can be uploaded or shared. */
  archived: z.boolean(),
  /** The directory's name, and its id. Null for recipients of a link to several files. */
  directory: z.nullable(z.string()),
  directory_id: Id,
  /** The directories that contain that directory, starting with the top-level one or, for recipients, with the shared one. */
  path: z.array(PathItem),
  size: z.number(),
  sha256: z.string(),
  /** Whether the stored bytes were found to differ from those uploaded. A damaged file can't be downloaded. */
  damaged: z.boolean(),
  /** The URL of a thumbnail. It needs no Authorization header and works for at least an hour. */
  image: z.nullable(z.string()),
  /** Only for staff: the number of the current version, counted from 1, and how many versions there are. */
  version: z.optional(z.number()),
  versions: z.optional(z.number()),
  /** Only for staff: who uploaded the current version, the name of a staff member or the key of a recipient's link. */
  uploaded_by: z.optional(z.nullable(z.string())),
  link: z.optional(z.nullable(z.string())),
  /** When the bytes of the current version were uploaded. */
  date_created: Instant,
  /** When it was moved to the trash. */
  deleted_at: z.nullable(Instant),
  /** When it is deleted for good. */
  gone_at: z.nullable(Instant),
})
export type FileRow = z.infer<typeof FileRow>

/** How a browser can preview a file. */
export const PreviewKind = z.enum(['image', 'pdf', 'text', 'audio', 'video'])
export type PreviewKind = z.infer<typeof PreviewKind>

/**
 * What to do if the name is taken. `keep`: keeps both files, the new one as `name (1).ext`. `replace`: makes the bytes the current version
 * of the existing file, which keeps its id and its links.
 */
const Conflict = z.enum(['keep', 'replace'], 'This must be keep or replace.')

const byId = { params: z.strictObject({ id: Id }), access: 'staff' } as const
const FileIds = z.strictObject({
  ids: z.array(Id).check(z.minLength(1, 'This must not be empty.'), z.maxLength(200, 'Send at most 200 at once.')),
})
const row = z.object({ data: FileRow })
const rows = z.object({ data: z.array(FileRow) })

/**
 * A name that is taken: the name as requested, and the file that has it. A replacement becomes version `next_version` of this file. `links`
 * is how many live links would show the replacement, and `pinned` how many are pinned to a version (at most 100 each).
 */
const Clash = z.object({
  name: z.string(),
  id: Id,
  file_name: z.string(),
  next_version: z.number(),
  links: z.number(),
  pinned: z.number(),
})

/**
 * The id of a version: see GET /v1/file/{id}/version. Defaults to the current one; for recipients, to the one that their link shows, which
 * is the only one they can get.
 */
const VersionChoice = z.optional(Id)

export const file = {
  clashes: endpoint({
    method: 'POST',
    path: '/v1/file/clash',
    access: 'staff',
    token: 'read',
    summary:
      'Find out which of up to 200 names are taken in a directory, and how many live links to those files would show a replacement',
    body: z.strictObject({
      directory: Id,
      names: z.array(Title).check(z.minLength(1, 'This must not be empty.'), z.maxLength(200, 'Send at most 200 at once.')),
    }),
    reply: z.object({ data: z.array(Clash) }),
    errors: ['directory.not_found'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/file',
    access: 'shared',
    token: 'read',
    summary:
      'List files: of every company for admins, of the companies they have access to for users, of the shared directory for recipients',
    query: z.object({
      /** Lists the files directly in this directory. With `search`, also those in the folders below. */
      directory: FilterId,
      company: FilterId,
      kind: z.optional(FileKind),
      /** Only for staff: lists the files of the link with this key, if it shares several. */
      link: FilterId,
      /** `true` lists the trash instead. */
      trash: z.optional(z.enum(['true', 'false'], 'This must be true or false.')),
      ...listQuery(['created_at', 'name', 'size']),
    }),
    reply: listReply(FileRow),
    errors: ['server.busy'],
  }),
  export: exportFiles,
  upload: endpoint({
    method: 'PUT',
    path: '/v1/file/{directory}/{filename}',
    access: 'shared',
    token: 'write',
    summary: 'Upload a file as multipart/form-data, in a field named `file`',
    params: z.strictObject({ directory: Id, filename: z.string() }),
    query: z.object({
      /** If given, it must be the directory's company. */
      company: FilterId,
      conflict: z._default(Conflict, 'keep'),
      /** The path of the folder to upload to, below the directory: names joined by slashes. Missing folders are created. */
      path: z.optional(z.string().check(z.maxLength(4000, 'This must have at most 4000 characters.'))),
      /** The type and key of the recipient's link. If given, they must match the token. */
      type: z.optional(text(64)),
      key: z.optional(text(64)),
    }),
    body: 'multipart',
    reply: row,
    errors: [
      'directory.not_found',
      'folder.too_deep',
      'folder.path_too_long',
      'folder.too_many',
      'file.name_invalid',
      'file.too_large',
      'file.multipart',
      'storage.full',
      'company.archived',
      'company.full',
      'server.busy',
      'storage.unavailable',
      'upload.too_many',
      'link.forbidden',
      'link.full',
    ],
  }),
  download: endpoint({
    ...byId,
    access: 'shared',
    method: 'GET',
    path: '/v1/file/{id}',
    token: 'read',
    summary: 'Download a file. Supports Range, If-Range and HEAD',
    query: z.object({ version: VersionChoice }),
    reply: 'bytes',
    types: fileTypes,
    errors: ['file.not_found', 'version.not_found', 'file.damaged', 'range.unsatisfiable', 'storage.unavailable'],
  }),
  ticket: endpoint({
    ...byId,
    access: 'shared',
    method: 'POST',
    path: '/v1/file/{id}/ticket',
    token: 'read',
    summary:
      'Create a URL from which a browser can download the file. It works for one to two hours, while the session, API token or visit that created it is valid',
    body: z._default(z.strictObject({ version: VersionChoice }), {}),
    reply: z.object({ data: DownloadTicket }),
    errors: ['file.not_found', 'version.not_found'],
  }),
  preview: endpoint({
    ...byId,
    access: 'shared',
    method: 'POST',
    path: '/v1/file/{id}/preview',
    summary:
      'Get the kind and the URL of a file’s preview. The URL works for at least an hour; both are null if there is no preview. If `pending` is true, the preview is being made: send the request again after a second or two',
    body: z._default(z.strictObject({ version: VersionChoice }), {}),
    reply: z.object({ data: z.object({ as: z.nullable(PreviewKind), url: z.nullable(z.string()), pending: z.boolean() }) }),
    errors: ['file.not_found', 'version.not_found', 'file.damaged'],
  }),
  rename: endpoint({
    ...byId,
    method: 'PATCH',
    path: '/v1/file/{id}',
    token: 'write',
    summary: 'Rename a file',
    body: z.strictObject({ file_name: Title }),
    reply: row,
    errors: ['file.not_found', 'file.name_invalid', 'file.name_taken'],
  }),
  remove: endpoint({
    ...byId,
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
    body: FileIds,
    reply: 'none',
    errors: ['file.not_found'],
  }),
  restoreMany: endpoint({
    method: 'POST',
    path: '/v1/file/restore',
    access: 'staff',
    token: 'write',
    summary:
      'Restore up to 200 files from the trash. If a name is taken by now, the file gets a number. If its folder is in the trash, it is restored into the nearest directory above that is not',
    body: FileIds,
    reply: rows,
    errors: ['file.not_found', 'folder.directory_deleted'],
  }),
  thumbnail: endpoint({
    method: 'GET',
    path: '/v1/thumbnail/{ticket}',
    access: 'public',
    summary: 'Get the thumbnail of a file, with the URL from its `image` field',
    params: z.strictObject({ ticket: text(200) }),
    reply: 'bytes',
    types: ['image/webp'],
    errors: ['file.not_found', 'file.damaged', 'range.unsatisfiable', 'storage.unavailable'],
  }),
  /** A ticket acts for the caller who requested it, and ends with their session, API token or visit. */
  byTicket: endpoint({
    method: 'GET',
    path: '/v1/download/{ticket}',
    access: 'public',
    summary: 'Download a file or a ZIP with a ticket. Supports Range, If-Range and HEAD',
    /** The ticket of a ZIP names the files and folders that are in it. */
    params: z.strictObject({ ticket: text(5000) }),
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
    summary: 'Get the preview of a file, with a ticket from POST /v1/file/{id}/preview. Supports Range, If-Range and HEAD',
    /** The name is only for display. */
    params: z.strictObject({ ticket: text(200), name: z.string() }),
    reply: 'bytes',
    types: previewTypes,
    errors: ['file.not_found', 'file.damaged', 'range.unsatisfiable', 'storage.unavailable'],
  }),
}
