import * as z from 'zod/mini'
import { DownloadTicket, FilterId, Id, Instant, listQuery, listReply, Title } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A directory of files. It belongs to one company. */
export const DirectoryRow = z.object({
  id: Id,
  /** The directory's name. */
  directory: z.string(),
  /** The total size of its files in bytes, and their number. */
  size: z.number(),
  files: z.number(),
  /** The URL of a thumbnail: that of its newest image, if any. */
  source: z.nullable(z.string()),
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  /** Whether its company is archived. It can be read and downloaded then, but nothing can be uploaded or shared. */
  archived: z.boolean(),
  date_created: Instant,
  /** When it was moved to the trash. */
  deleted_at: z.nullable(Instant),
  /** When it is deleted for good, with its files. */
  gone_at: z.nullable(Instant),
})
export type DirectoryRow = z.infer<typeof DirectoryRow>

const byId = { params: z.strictObject({ id: Id }), access: 'staff' } as const
const row = z.object({ data: DirectoryRow })

export const directory = {
  list: endpoint({
    method: 'GET',
    path: '/v1/directory',
    access: 'staff',
    token: 'read',
    summary: 'List directories: of every company for admins, of the companies they have access to for users',
    query: z.object({
      /** The company's id. An empty value means all companies. */
      company: FilterId,
      /** `true` lists the trash instead. */
      trash: z.optional(z.enum(['true', 'false'], 'This must be true or false.')),
      ...listQuery(['name', 'created_at']),
    }),
    reply: listReply(DirectoryRow),
    errors: ['server.busy'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/directory',
    access: 'staff',
    token: 'write',
    summary: 'Create a directory',
    body: z.strictObject({
      directory: Title,
      /** The company's id. */
      client: Id,
      /** The owner's id. Defaults to the caller. Ignored unless the caller is an admin. */
      user: z.optional(Id),
    }),
    reply: row,
    errors: ['company.not_found', 'company.archived', 'user.not_found', 'directory.name_taken'],
  }),
  read: endpoint({
    ...byId,
    method: 'GET',
    path: '/v1/directory/{id}',
    token: 'read',
    summary: 'Get a directory',
    reply: row,
    errors: ['directory.not_found'],
  }),
  rename: endpoint({
    ...byId,
    method: 'PATCH',
    path: '/v1/directory/{id}',
    token: 'write',
    summary: 'Rename a directory',
    body: z.strictObject({ directory: Title }),
    reply: row,
    errors: ['directory.not_found', 'directory.name_taken'],
  }),
  remove: endpoint({
    ...byId,
    method: 'DELETE',
    path: '/v1/directory/{id}',
    token: 'write',
    summary: 'Move a directory and all its files to the trash',
    reply: 'none',
    errors: ['directory.not_found'],
  }),
  restore: endpoint({
    ...byId,
    method: 'POST',
    path: '/v1/directory/{id}/restore',
    token: 'write',
    summary: 'Restore a directory and all its files from the trash',
    reply: row,
    errors: ['directory.not_found', 'directory.name_taken'],
  }),
  ticket: endpoint({
    ...byId,
    access: 'shared',
    method: 'POST',
    path: '/v1/directory/{id}/ticket',
    token: 'read',
    summary: 'Create a URL from which a browser can download the directory as a ZIP. It works for at least an hour',
    reply: z.object({ data: DownloadTicket }),
    errors: ['directory.not_found', 'directory.damaged', 'download.too_many'],
  }),
  download: endpoint({
    ...byId,
    access: 'shared',
    method: 'GET',
    path: '/v1/directory/{id}/zip',
    token: 'read',
    summary: 'Download a directory as a ZIP. Supports Range and If-Range',
    reply: 'bytes',
    types: ['application/zip'],
    errors: [
      'directory.not_found',
      'range.unsatisfiable',
      'file.damaged',
      'directory.damaged',
      'download.too_many',
      'server.busy',
      'storage.full',
      'storage.unavailable',
    ],
  }),
}
