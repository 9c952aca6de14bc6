import * as z from 'zod/mini'
import { filterId, Id, Instant, listQuery, listReply } from './common.ts'
import { endpoint, type Headers } from './endpoint.ts'

/**
 * Uploads that survive a lost network: tus 1.0 (https://tus.io) with creation, termination, expiration and checksum.
 * `Upload-Metadata` takes `filename`, `directory` (an id) and, if wanted, `conflict` (`keep` or `replace`).
 */
const one = { params: z.strictObject({ id: Id }), access: 'shared' } as const

const version = { summary: 'The version of tus.', pattern: '^1\\.0\\.0$' }
const offset = { summary: 'How many bytes the server has.', type: 'integer' } as const

/**
 * Request headers of every tus call except OPTIONS, and headers of its errors. Errors raised before the version is checked
 * lack them.
 */
const tus = {
  headers: { 'Tus-Resumable': version },
  errorHeaders: { 'Tus-Resumable': { ...version, optional: true } },
} as const

/** The state of an upload, in every reply about one. */
const state = {
  'Upload-Offset': offset,
  'Upload-Expires': { summary: 'When the server discards the upload, as an HTTP date.' },
  'Neptune-File': { summary: 'The id of the file, once all bytes have arrived.', optional: true },
  'Neptune-Direct': {
    summary: 'Sent as "on" while the bytes can go straight to the object store, by POST /v1/upload/{id}/part.',
    optional: true,
  },
} as const satisfies Headers

/** An upload that has not become a file yet, as staff see it. */
export const UploadRow = z.object({
  id: Id,
  file_name: z.string(),
  /** How large the file will be, how many bytes of it have arrived, and how many count against the company's quota. */
  size: z.number(),
  received: z.number(),
  reserved: z.number(),
  /** The directory's name, and its id. */
  directory: z.string(),
  directory_id: Id,
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  /** Who uploads it: a member of staff, or a recipient of the link with this key and the email it was sent to. */
  person: z.nullable(z.string()),
  link: z.nullable(z.string()),
  email: z.nullable(z.string()),
  started_at: Instant,
  /** When bytes last arrived. */
  progress_at: Instant,
  /** When it is discarded if no more bytes arrive. */
  ends_at: Instant,
})
export type UploadRow = z.infer<typeof UploadRow>

const { search: _, ...page } = listQuery(['started_at'])

/** Bytes that go straight to the object store. */
const UploadPart = z.object({ number: z.int(), size: z.int(), url: z.string() })

export const upload = {
  options: endpoint({
    method: 'OPTIONS',
    path: '/v1/upload',
    access: 'public',
    summary: 'tus: what this server can do',
    reply: 'none',
    replyHeaders: {
      'Tus-Resumable': version,
      'Tus-Version': { summary: 'The supported versions, separated by commas.' },
      'Tus-Extension': { summary: 'The supported extensions, separated by commas.' },
      'Tus-Checksum-Algorithm': { summary: 'The supported checksum algorithms, separated by commas.' },
      'Tus-Max-Size': { summary: 'The largest file in bytes.', type: 'integer' },
    },
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/upload',
    access: 'staff',
    token: 'read',
    summary: 'List unfinished uploads and their totals: of every company for admins, of their own company for users',
    query: z.object({ directory: filterId, company: filterId, ...page }),
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
    summary: 'tus: begin an upload. Takes Upload-Length and Upload-Metadata; Location says where to send the bytes',
    ...tus,
    headers: {
      ...tus.headers,
      'Upload-Length': { summary: 'The size of the file in bytes.', type: 'integer' },
      'Upload-Metadata': {
        summary:
          'Pairs of a key and a base64 value, separated by commas: filename, directory (an id), optionally company (an id) and conflict (keep or replace).',
      },
    },
    reply: 'empty',
    replyHeaders: { Location: { summary: 'The path of the upload.' }, 'Tus-Resumable': version, ...state },
    errors: [
      'upload.version',
      'upload.invalid',
      'directory.not_found',
      'file.name_invalid',
      'file.too_large',
      'storage.full',
      'company.full',
      'upload.too_many',
      'link.forbidden',
      'link.full',
      'storage.unavailable',
    ],
  }),
  status: endpoint({
    ...one,
    method: 'HEAD',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: how many bytes are here already (Upload-Offset)',
    ...tus,
    reply: 'empty',
    replyHeaders: {
      'Tus-Resumable': version,
      ...state,
      'Upload-Length': { summary: 'The size of the file in bytes.', type: 'integer' },
      'Upload-Metadata': { summary: 'As it was sent when the upload began.' },
    },
    errors: ['upload.version', 'upload.not_found', 'storage.full', 'storage.unavailable', 'company.full', 'link.full'],
  }),
  append: endpoint({
    ...one,
    method: 'PATCH',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: the next bytes, from Upload-Offset on. With the last of them the file is there; its id is in Neptune-File',
    ...tus,
    headers: {
      ...tus.headers,
      'Upload-Offset': { summary: 'The offset of the first byte sent; what the server already has.', type: 'integer' },
      'Upload-Checksum': {
        summary: 'The checksum of the bytes of this request: sha1 or sha256, a space, and the digest in base64.',
        pattern: '^(sha1|sha256) [A-Za-z0-9+/]{27,43}=$',
        optional: true,
      },
    },
    body: 'bytes',
    reply: 'empty',
    replyHeaders: { 'Tus-Resumable': version, ...state },
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
      'company.full',
      'link.full',
    ],
  }),
  openPart: endpoint({
    ...one,
    method: 'POST',
    path: '/v1/upload/{id}/part',
    token: 'write',
    summary: 'Where to put the next bytes straight into the object store, and how many; null when they are to be sent here',
    body: z.strictObject({ offset: z.int().check(z.gte(0)) }),
    reply: z.object({ data: z.nullable(UploadPart) }),
    errors: [
      'upload.not_found',
      'upload.wrong_offset',
      'upload.busy',
      'directory.not_found',
      'company.full',
      'link.full',
      'storage.unavailable',
    ],
  }),
  closePart: endpoint({
    ...one,
    method: 'PUT',
    path: '/v1/upload/{id}/part',
    token: 'write',
    summary: 'The bytes of a part are in the store. Upload-Offset says how far it is now; with the last part the file is there',
    body: z.strictObject({ number: z.int() }),
    reply: 'empty',
    replyHeaders: state,
    errors: [
      'upload.not_found',
      'upload.wrong_offset',
      'upload.busy',
      'directory.not_found',
      'storage.full',
      'storage.unavailable',
      'company.full',
      'link.full',
    ],
  }),
  remove: endpoint({
    ...one,
    method: 'DELETE',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: cancel an upload: your own or, as staff, any unfinished one in a directory you may see',
    ...tus,
    reply: 'none',
    replyHeaders: { 'Tus-Resumable': version },
    errors: ['upload.version', 'upload.not_found', 'upload.busy', 'storage.unavailable'],
  }),
}
