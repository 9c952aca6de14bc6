import { api } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readMultipartFile } from '../../http/body/multipart.ts'
import { createRequestAbortSignal } from '../../http/connection/abort-signals.ts'
import { serve } from '../../http/serve.ts'
import { requireReader, requireStaff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Checksum, parseChecksum } from '../../lib/net/checksum.ts'
import { closePart, isDirect, openPart } from './direct-upload.service.ts'
import type { UploadRecord } from './upload.repo.ts'
import { appendToUpload, beginUpload, getUploadStatus, uploadFile } from './upload.service.ts'
import { readMaxUploadBytes } from './upload-access.service.ts'
import { cancelUpload, listVisibleUploads } from './upload-list.service.ts'

const tusVersion = '1.0.0'

/** Serves tus 1.0 with creation, termination, expiration and checksum: https://tus.io/protocols/resumable-upload */
export function uploadRoutes(app: FastifyInstance, deps: Deps) {
  const { upload } = api

  serve(app, api.file.upload, async ({ actor, params, query, request }) => {
    const receive = async () => ({ ...(await readMultipartFile(request)), signal: createRequestAbortSignal(request) })
    return { data: await uploadFile(deps, requireReader(actor), { ...params, ...query }, getContentLength(request), receive) }
  })

  serve(app, upload.options, async ({ reply }) => {
    reply.headers({
      'tus-resumable': tusVersion,
      'tus-version': tusVersion,
      'tus-extension': 'creation,termination,expiration,checksum',
      'tus-checksum-algorithm': 'sha1,sha256',
      'tus-max-size': await readMaxUploadBytes(deps),
    })
  })

  serve(app, upload.list, ({ actor, query, requester }) => listVisibleUploads(deps, requireStaff(actor), { ...query, requester }))

  serve(app, upload.create, async ({ actor, request, reply }) => {
    requireTusVersion(request, reply)
    const metadata = String(request.headers['upload-metadata'] ?? '')
    const { filename = '', directory = '', company, path, conflict = 'keep' } = readMetadata(metadata)
    if (conflict !== 'keep' && conflict !== 'replace') throw invalidField('Upload-Metadata', 'conflict must be keep or replace.')
    if (/[\p{Cc}\p{Cs}]/u.test(`${directory}${company ?? ''}`))
      throw invalidField('Upload-Metadata', 'This must not contain control characters.')
    const target = { filename, directory, company, path, conflict } as const
    const size = parseWholeNumber(request, 'upload-length')
    const begun = await beginUpload(deps, requireReader(actor), target, { size, metadata })
    setUploadHeaders(deps, reply, begun, 0)
    reply.code(201).header('location', `/v1/upload/${begun.id}`).send()
  })

  serve(app, upload.status, async ({ actor, params, request, reply }) => {
    requireTusVersion(request, reply)
    const { upload, offset } = await getUploadStatus(deps, requireReader(actor), params.id)
    setUploadHeaders(deps, reply, upload, offset)
    reply.headers({ 'upload-length': upload.size, 'upload-metadata': upload.metadata }).send()
  })

  serve(app, upload.append, async ({ actor, params, request, reply }) => {
    requireTusVersion(request, reply)
    const offset = parseWholeNumber(request, 'upload-offset')
    const length = Number(request.headers['content-length'] ?? Infinity)
    const piece = {
      offset,
      length,
      source: request.raw,
      signal: createRequestAbortSignal(request),
      checksum: readChecksumHeader(request),
    }
    const received = await appendToUpload(deps, requireReader(actor), params.id, piece)
    setUploadHeaders(deps, reply, received.upload, received.offset)
    reply.code(204).send()
  })

  serve(app, upload.openPart, async ({ actor, params, body }) => ({
    data: await openPart(deps, requireReader(actor), params.id, body.offset),
  }))

  serve(app, upload.closePart, async ({ actor, params, body, reply }) => {
    const received = await closePart(deps, requireReader(actor), params.id, body.number)
    setUploadHeaders(deps, reply, received.upload, received.offset)
    reply.code(204).send()
  })

  serve(app, upload.remove, async ({ actor, params, request, reply }) => {
    requireTusVersion(request, reply)
    await cancelUpload(deps, requireReader(actor), params.id)
  })
}

const getContentLength = ({ headers }: FastifyRequest) => Number(headers['content-length'] ?? 0)

function requireTusVersion(request: FastifyRequest, reply: FastifyReply) {
  reply.header('tus-resumable', tusVersion)
  if (request.headers['tus-resumable'] === tusVersion) return
  reply.header('tus-version', tusVersion)
  throw new AppError('upload.version')
}

function setUploadHeaders(deps: Deps, reply: FastifyReply, { id, file_id, finished_at, ends_at }: UploadRecord, offset: number) {
  reply.headers({ 'upload-offset': offset, 'upload-expires': new Date(ends_at).toUTCString() })
  if (finished_at) reply.header('neptune-file', file_id ?? id)
  else if (isDirect(deps)) reply.header('neptune-direct', 'on')
}

function parseWholeNumber({ headers }: FastifyRequest, name: 'upload-length' | 'upload-offset'): number {
  const value = String(headers[name] ?? '')
  if (!/^\d{1,15}$/.test(value)) throw invalidField(name, 'This header must be a whole number.')
  return Number(value)
}

function readChecksumHeader({ headers }: FastifyRequest): Checksum | undefined {
  const header = headers['upload-checksum']
  if (header === undefined) return undefined
  const checksum = parseChecksum(String(header))
  if (!checksum) throw invalidField('upload-checksum', 'This must be sha1 or sha256, a space, and the digest in base64.')
  return checksum
}

/** Parses tus metadata: `key base64,key base64`. */
function readMetadata(header: string): Record<string, string | undefined> {
  const pairs = header.split(',').map((pair) => pair.trim().split(' '))
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString()]))
}

const invalidField = (field: string, message: string) => new AppError('upload.invalid', { fields: [{ field, message }] })
