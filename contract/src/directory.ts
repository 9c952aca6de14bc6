import * as z from 'zod/mini'
import { DownloadTicket, filterId, Id, Instant, listQuery, listReply, Title } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A folder of files. It belongs to one company. */
export const DirectoryRow = z.object({
  id: Id,
  /** Its name. */
  directory: z.string(),
  /** The bytes of all its files together, and how many they are. */
  size: z.number(),
  files: z.number(),
  /** A picture for its tile: that of its newest image, if it has one. */
  source: z.nullable(z.string()),
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  date_created: Instant,
  /** Since when it is in the trash. */
  deleted_at: z.nullable(Instant),
  /** When the trash forgets it, with its files. */
  gone_at: z.nullable(Instant),
})
export type DirectoryRow = z.infer<typeof DirectoryRow>

const one = { params: z.strictObject({ id: Id }), access: 'staff' } as const
const row = z.object({ data: DirectoryRow })

export const directory = {
  list: endpoint({
    method: 'GET',
    path: '/v1/directory',
    access: 'staff',
    token: 'read',
    summary: 'List directories: of every company for admins, of their own for users',
    query: z.object({
      /** Callers send it either way; empty means all. */
      company: filterId,
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
      /** Its owner: oneself, unless an admin names somebody else. */
      user: z.optional(Id),
    }),
    reply: row,
    errors: ['company.not_found', 'user.not_found', 'directory.name_taken'],
  }),
  read: endpoint({
    ...one,
    method: 'GET',
    path: '/v1/directory/{id}',
    token: 'read',
    summary: 'One directory',
    reply: row,
    errors: ['directory.not_found'],
  }),
  rename: endpoint({
    ...one,
    method: 'PATCH',
    path: '/v1/directory/{id}',
    token: 'write',
    summary: 'Give a directory another name',
    body: z.strictObject({ directory: Title }),
    reply: row,
    errors: ['directory.not_found', 'directory.name_taken'],
  }),
  remove: endpoint({
    ...one,
    method: 'DELETE',
    path: '/v1/directory/{id}',
    token: 'write',
    summary: 'Move a directory with all its files to the trash',
    reply: 'none',
    errors: ['directory.not_found'],
  }),
  restore: endpoint({
    ...one,
    method: 'POST',
    path: '/v1/directory/{id}/restore',
    token: 'write',
    summary: 'Take a directory with all its files out of the trash',
    reply: row,
    errors: ['directory.not_found', 'directory.name_taken'],
  }),
  ticket: endpoint({
    ...one,
    access: 'shared',
    method: 'POST',
    path: '/v1/directory/{id}/ticket',
    token: 'read',
    summary: 'An address from which a browser can download the whole directory as a ZIP, for an hour',
    reply: z.object({ data: DownloadTicket }),
    errors: ['directory.not_found', 'directory.damaged', 'download.too_many'],
  }),
  download: endpoint({
    ...one,
    access: 'shared',
    method: 'GET',
    path: '/v1/directory/{id}/zip',
    token: 'read',
    summary: 'Download a directory as a ZIP. Takes Range and If-Range',
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
