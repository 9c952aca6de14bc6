import * as z from 'zod/mini'
import { FilterId, Id, Instant, listQuery, listReply } from './common.ts'
import { endpoint, type HeaderDescriptions } from './endpoint.ts'

const byId = { params: z.strictObject({ id: Id }), access: 'shared' } as const

const versionHeader = { summary: 'The version of tus.', pattern: '^1\\.0\\.0$' }

/**
 * The request and error headers of every tus call except OPTIONS. An error raised before the version is checked has no version
 * header.
 */
const tusHeaders = {
  headers: { 'Tus-Resumable': versionHeader },
  errorHeaders: { 'Tus-Resumable': { ...versionHeader, optional: true } },
} as const

/** The state of an upload, in the headers of the replies to create, status, append and closePart. */
const stateHeaders = {
  'Upload-Offset': { summary: 'The number of bytes received so far.', type: 'integer' },
  'Upload-Expires': { summary: 'When the server discards the upload, as an HTTP date.' },
  'Neptune-File': { summary: 'The id of the file, once all bytes have arrived.', optional: true },
  'Neptune-Direct': {
    summary: '"on" while bytes can be sent directly to the object store, with POST /v1/upload/{id}/part.',
    optional: true,
  },
} as const satisfies HeaderDescriptions

/** An upload that has not become a file yet, as staff see it. */
export const UploadRow = z.object({
  id: Id,
  file_name: z.string(),
  /** The size of the file, the bytes received so far, and the bytes that count against the company's quota. */
  size: z.number(),
  received: z.number(),
  reserved: z.number(),
  /** The directory's name, and its id. */
  directory: z.string(),
  directory_id: Id,
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  /** The uploader: the name of a staff member, or the key of a recipient's link and the address it was sent to. */
  person: z.nullable(z.string()),
  link: z.nullable(z.string()),
  email: z.nullable(z.string()),
  started_at: Instant,
  /** When bytes last arrived. */
  progress_at: Instant,
  /** When the upload is discarded if no more bytes arrive. */
  ends_at: Instant,
})
export type UploadRow = z.infer<typeof UploadRow>

const { search: _, ...pageQuery } = listQuery(['started_at'])

/** The next part of an upload: its number, how many bytes it takes, and the URL to send them to. */
const UploadPart = z.object({ number: z.int(), size: z.int(), url: z.string() })

/** Resumable uploads: tus 1.0 (https://tus.io) with the extensions creation, termination, expiration and checksum. */
export const upload = {
  options: endpoint({
    method: 'OPTIONS',
    path: '/v1/upload',
    access: 'public',
    summary: 'tus: get the supported versions and extensions',
    reply: 'none',
    replyHeaders: {
      'Tus-Resumable': versionHeader,
      'Tus-Version': { summary: 'The supported versions, separated by commas.' },
      'Tus-Extension': { summary: 'The supported extensions, separated by commas.' },
      'Tus-Checksum-Algorithm': { summary: 'The supported checksum algorithms, separated by commas.' },
      'Tus-Max-Size': { summary: 'The maximum size of a file in bytes.', type: 'integer' },
    },
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/upload',
    access: 'staff',
    token: 'read',
    summary:
      'List unfinished uploads and their totals: of every company for admins, of the companies they have access to for users',
    query: z.object({ directory: FilterId, company: FilterId, ...pageQuery }),
    reply: z.extend(listReply(UploadRow), {
      /** Totals over all pages. */
      total: z.object({ uploads: z.number(), reserved: z.number() }),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/upload',
    access: 'shared',
    token: 'write',
    summary: 'tus: create an upload. Requires Upload-Length and Upload-Metadata; Location is the URL to send the bytes to',
    ...tusHeaders,
    headers: {
      ...tusHeaders.headers,
      'Upload-Length': { summary: 'The size of the file in bytes.', type: 'integer' },
      'Upload-Metadata': {
        summary:
          'Pairs of a key and a base64 value, separated by commas: filename, directory (an id), optionally company (an id), path (the path of a folder below the directory, as names joined by slashes; missing folders are created) and conflict (keep or replace).',
      },
    },
    reply: 'empty',
    replyHeaders: { Location: { summary: 'The path of the upload.' }, 'Tus-Resumable': versionHeader, ...stateHeaders },
    errors: [
      'upload.version',
      'upload.invalid',
      'directory.not_found',
      'folder.too_deep',
      'folder.path_too_long',
      'folder.too_many',
      'file.name_invalid',
      'file.too_large',
      'storage.full',
      'company.archived',
      'company.full',
      'upload.too_many',
      'link.forbidden',
      'link.full',
      'storage.unavailable',
    ],
  }),
  status: endpoint({
    ...byId,
    method: 'HEAD',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: get the offset from which to resume an upload (Upload-Offset). Stops a request that still writes to it',
    ...tusHeaders,
    reply: 'empty',
    replyHeaders: {
      'Tus-Resumable': versionHeader,
      ...stateHeaders,
      'Upload-Length': { summary: 'The size of the file in bytes.', type: 'integer' },
      'Upload-Metadata': { summary: 'As sent when the upload was created.' },
    },
    errors: [
      'upload.version',
      'upload.not_found',
      'storage.full',
      'storage.unavailable',
      'company.archived',
      'company.full',
      'link.full',
    ],
  }),
  append: endpoint({
    ...byId,
    method: 'PATCH',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: send the next bytes, starting at Upload-Offset. The last bytes create the file; Neptune-File is its id',
    ...tusHeaders,
    headers: {
      ...tusHeaders.headers,
      'Upload-Offset': { summary: 'The offset of the first byte sent. Must equal the current offset.', type: 'integer' },
      'Upload-Checksum': {
        summary: 'The checksum of this request’s body: sha1 or sha256, a space, and the digest in base64.',
        pattern: '^(sha1|sha256) [A-Za-z0-9+/]{27,43}=$',
        optional: true,
      },
    },
    body: 'bytes',
    reply: 'empty',
    replyHeaders: { 'Tus-Resumable': versionHeader, ...stateHeaders },
    errors: [
      'upload.version',
      'upload.not_found',
      'upload.wrong_offset',
      'upload.busy',
      'upload.checksum',
      'upload.invalid',
      'directory.not_found',
      'file.too_large',
      'request.wrong_type',
      'storage.full',
      'storage.unavailable',
      'company.archived',
      'company.full',
      'link.full',
    ],
  }),
  openPart: endpoint({
    ...byId,
    method: 'POST',
    path: '/v1/upload/{id}/part',
    token: 'write',
    summary:
      'Open the next part of an upload: get its number, its size in bytes, and the URL of the object store to send it to. Null if the bytes must be sent to this server',
    body: z.strictObject({ offset: z.int().check(z.gte(0)) }),
    reply: z.object({ data: z.nullable(UploadPart) }),
    errors: [
      'upload.not_found',
      'upload.wrong_offset',
      'upload.busy',
      'directory.not_found',
      'company.archived',
      'company.full',
      'link.full',
      'storage.unavailable',
    ],
  }),
  closePart: endpoint({
    ...byId,
    method: 'PUT',
    path: '/v1/upload/{id}/part',
    token: 'write',
    summary:
      'Confirm that the bytes of a part are in the object store. Upload-Offset is the new offset; the last part creates the file',
    body: z.strictObject({ number: z.int() }),
    reply: 'empty',
    replyHeaders: stateHeaders,
    errors: [
      'upload.not_found',
      'upload.wrong_offset',
      'upload.busy',
      'directory.not_found',
      'storage.full',
      'storage.unavailable',
      'company.archived',
      'company.full',
      'link.full',
    ],
  }),
  remove: endpoint({
    ...byId,
    method: 'DELETE',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: cancel an upload: your own or, as staff, any unfinished upload in a directory you have access to',
    ...tusHeaders,
    reply: 'none',
    replyHeaders: { 'Tus-Resumable': versionHeader },
    errors: ['upload.version', 'upload.not_found', 'upload.busy', 'storage.unavailable'],
  }),
}
