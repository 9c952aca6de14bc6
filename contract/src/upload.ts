import * as z from 'zod/mini'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

/**
 * Uploads that survive a lost network: tus 1.0 (https://tus.io) with creation, termination, expiration and checksum.
 * `Upload-Metadata` takes `filename`, `directory` (an id) and, if wanted, `conflict` (`keep` or `replace`).
 */
const one = { params: z.strictObject({ id: Id }), access: 'shared' } as const

/** Bytes that go straight to the object store. */
const UploadPart = z.object({ number: z.int(), size: z.int(), url: z.string() })

export const upload = {
  options: endpoint({
    method: 'OPTIONS',
    path: '/v1/upload',
    access: 'public',
    summary: 'tus: what this server can do',
    reply: 'none',
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/upload',
    access: 'shared',
    token: 'write',
    summary: 'tus: begin an upload. Takes Upload-Length and Upload-Metadata; Location says where to send the bytes',
    reply: 'empty',
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
    ],
  }),
  status: endpoint({
    ...one,
    method: 'HEAD',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: how many bytes are here already (Upload-Offset)',
    reply: 'empty',
    errors: ['upload.version', 'upload.not_found'],
  }),
  append: endpoint({
    ...one,
    method: 'PATCH',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: the next bytes, from Upload-Offset on. With the last of them the file is there; its id is in Neptune-File',
    body: 'bytes',
    reply: 'empty',
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
      'company.full',
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
    errors: ['upload.not_found', 'upload.wrong_offset', 'upload.busy', 'directory.not_found'],
  }),
  closePart: endpoint({
    ...one,
    method: 'PUT',
    path: '/v1/upload/{id}/part',
    token: 'write',
    summary: 'The bytes of a part are in the store. Upload-Offset says how far it is now; with the last part the file is there',
    body: z.strictObject({ number: z.int() }),
    reply: 'empty',
    errors: ['upload.not_found', 'upload.wrong_offset', 'upload.busy', 'directory.not_found', 'storage.full', 'company.full'],
  }),
  remove: endpoint({
    ...one,
    method: 'DELETE',
    path: '/v1/upload/{id}',
    token: 'write',
    summary: 'tus: give an upload up',
    reply: 'none',
    errors: ['upload.version', 'upload.not_found', 'upload.busy'],
  }),
}
