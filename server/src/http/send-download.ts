import type { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { type ByteRange, formatContentRange, resolveRange } from '../lib/net/byte-range.ts'
import { formatAttachmentHeader, formatInlineHeader, percentEncode } from '../lib/net/content-disposition.ts'
import { getLoggedPath } from './log/request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** How often a download checks whether its caller still has access. A caller who loses access receives data for at most this long. */
    recheckIntervalMs: number
  }
}

/** A file or archive to send, whose size and bytes are known in advance. */
export interface Download {
  name: string
  type: string
  size: number
  /** A strong validator. */
  etag: string
  /** Omitted when the bytes can change without a newer date. */
  modifiedAt?: Date
  /** Whether it is a thumbnail, which browsers may cache for an hour. */
  isThumbnail?: boolean
  /** Whether our pages show it instead of saving it. */
  isPreview?: boolean
  /** Returns whether the caller may still receive it. Called every few seconds with the number of bytes sent so far. */
  mayContinue?: (sent: number) => Promise<boolean>
  /** Records how many bytes were sent. */
  onSent?: (bytes: number) => Promise<void>
  /** Returns the path for `X-Accel-Redirect`, if the proxy in front is to send the bytes. */
  findProxyPath?: () => Promise<string | undefined>
  /** Returns a URL to redirect to, if browsers are to get the bytes from the store. */
  findRedirectUrl?: () => Promise<string | undefined>
  /** Opens the bytes. Throws if they are missing or damaged, while an error reply is still possible. */
  open(): Promise<OpenDownload>
  /** Releases the resources, whether or not it was sent. */
  close?: () => Promise<void>
}

interface OpenDownload extends AsyncDisposable {
  sendTo(to: Writable, range: ByteRange): Promise<void>
}

/** Keeps a browser from running anything in the bytes. */
const sandboxHeaders = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
}

/** Sends a download, or the requested range of it, and closes it. Once the headers are sent, an error can only end the connection. */
export async function sendDownload(request: FastifyRequest, reply: FastifyReply, download: Download) {
  try {
    return await send(request, reply, download)
  } finally {
    await download.close?.()
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, download: Download) {
  const { name, type, size, etag, modifiedAt } = download
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
  reply.headers({
    ...sandboxHeaders,
    ...(download.isThumbnail && { 'cache-control': 'private, max-age=3600' }),
    'content-type': type,
    'content-disposition': download.isPreview ? formatInlineHeader(name) : formatAttachmentHeader(name),
    'content-filename': percentEncode(name),
    'accept-ranges': 'bytes',
    ...(modifiedAt && { 'last-modified': modifiedAt.toUTCString() }),
    etag,
  })
  if (ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()
  const requestedRange = resolveRange(
    { range, ifRange: ifRange as string | undefined },
    { size, etag, ...(modifiedAt && { lastModified: modifiedAt }) },
  )
  if (requestedRange === 'unsatisfiable') {
    reply.header('content-range', formatContentRange(undefined, size))
    throw new AppError('range.unsatisfiable')
  }
  const sentRange = requestedRange === 'whole' ? { start: 0, end: size } : requestedRange
  if (request.method === 'GET' && isProxied(request)) {
    const path = await download.findProxyPath?.()
    // nginx reads the range from the request itself.
    if (path !== undefined) return reply.header('x-accel-redirect', path).send()
  }
  if (requestedRange !== 'whole') reply.code(206).header('content-range', formatContentRange(requestedRange, size))
  reply.header('content-length', sentRange.end - sentRange.start)
  if (request.method === 'HEAD') {
    reply.hijack()
    writeHead(reply).end()
    return reply
  }

  await using bytes = await download.open()
  reply.hijack()
  writeHead(reply)
  const { socket } = request.raw
  const writtenBefore = socket.bytesWritten
  let sent = sentRange.end - sentRange.start
  const countSentBytes = () =>
    Math.min(sentRange.end - sentRange.start, Math.max(0, socket.bytesWritten - socket.writableLength - writtenBefore))
  const mayContinue = () => download.mayContinue?.(countSentBytes())
  const accessTimer =
    download.mayContinue && setInterval(() => void abortUnless(mayContinue, reply), request.server.recheckIntervalMs)
  try {
    await bytes.sendTo(reply.raw, sentRange)
    reply.raw.end()
  } catch (error) {
    // A client that disconnected is not an error. Either way the connection is destroyed, so that the client does not take an
    // incomplete file for a complete one.
    if (!socket.destroyed)
      request.log.error(
        { err: error, path: getLoggedPath(request.routeOptions.url, request.params, request.url) },
        'a download failed',
      )
    sent = countSentBytes()
    reply.raw.destroy()
  } finally {
    clearInterval(accessTimer)
  }
  await download.onSent?.(sent).catch((err: unknown) => request.log.error({ err }, 'a download could not be recorded'))
  return reply
}

/** Returns whether the request came through the proxy. A direct client would get the path instead of the file. */
const isProxied = ({ ips = [] }: FastifyRequest) => ips.length > 1

async function abortUnless(mayContinue: () => Promise<boolean> | undefined, reply: FastifyReply) {
  // Continues when the check itself fails, because that says nothing about the caller's access.
  if (await mayContinue()?.catch(() => true)) return
  reply.log.info('aborted a download: the caller lost access')
  reply.raw.destroy()
}

function writeHead(reply: FastifyReply) {
  reply.request.reportResponseTime?.()
  return reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
}
