import type { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { type ByteRange, contentRange, resolveRange } from '../lib/byte-range.ts'
import { attachmentHeader, inlineHeader, percentEncode } from '../lib/content-disposition.ts'
import { loggedPath } from './request-log.ts'

/** Something to be saved, whose every byte is known beforehand. */
export interface Download {
  name: string
  type: string
  size: number
  /** Changes with the bytes. */
  etag: string
  /** Left out where an older date may stand for other bytes. */
  modifiedAt?: Date
  /** Shown by our own pages, and kept for as long as its address is good. */
  isPicture?: boolean
  /** Shown by our own pages rather than saved: by an element that runs nothing, or in a frame. */
  shown?: 'in an element' | 'in a frame'
  /** The origins of the pages that may have it in a frame. */
  framedBy?: string[]
  /** Returns whether the caller may still have it. Called every few seconds while it is sent, with the bytes sent so far. */
  isOpen?: (sent: number) => Promise<boolean>
  /** Told how many bytes went out. */
  onSent?: (bytes: number) => Promise<void>
  /** The place from which a proxy in front of us may send it. */
  byProxy?: () => Promise<string | undefined>
  /** Another address to get it from, for browsers that follow. */
  elsewhere?: () => Promise<string | undefined>
  /** Throws what is wrong while it can still be said. */
  open(): Promise<OpenDownload>
  /** Releases its resources, whether or not it was sent. */
  close?: () => Promise<void>
}

interface OpenDownload extends AsyncDisposable {
  sendTo(to: Writable, range: ByteRange): Promise<void>
}

/** Whatever the bytes are, a browser saves them and does nothing else with them. */
const inert = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
}

/**
 * What a frame shows is a PDF, which the browser has a viewer for. Safari shows none in a sandbox, so it is not in one; as a page it still
 * could load and run nothing. The styles are the viewer's own: some versions of Chromium judge them by this policy.
 */
const framed = ({ framedBy = [] }: Download) => ({
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${["'self'", ...framedBy].join(' ')}`,
  'x-frame-options': 'SAMEORIGIN', // for browsers that do not know the above; the others do not read it
})

/** Sends a download, or the range of it that was requested, and closes it. After the headers, a failure can only end the connection. */
export async function sendDownload(request: FastifyRequest, reply: FastifyReply, download: Download) {
  try {
    return await send(request, reply, download)
  } finally {
    await download.close?.()
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, download: Download) {
  const { name, type, size, etag, modifiedAt } = download
  const { range, 'if-range': ifRange, 'if-none-match': known } = request.headers
  reply.headers({
    ...inert,
    ...(download.isPicture && { 'cache-control': 'private, max-age=3600' }),
    ...(download.shown === 'in a frame' && framed(download)),
    'content-type': type,
    'content-disposition': download.shown ? inlineHeader(name) : attachmentHeader(name),
    'content-filename': percentEncode(name),
    'accept-ranges': 'bytes',
    ...(modifiedAt && { 'last-modified': modifiedAt.toUTCString() }),
    etag,
  })
  if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()
  const wanted = resolveRange(
    { range, ifRange: ifRange as string | undefined },
    { size, etag, ...(modifiedAt && { lastModified: modifiedAt }) },
  )
  if (wanted === 'unsatisfiable') {
    reply.header('content-range', contentRange(undefined, size))
    throw new AppError('range.unsatisfiable')
  }
  const part = wanted === 'whole' ? { start: 0, end: size } : wanted
  if (request.method === 'GET' && isProxied(request)) {
    const place = await download.byProxy?.()
    // Which part of it, nginx reads from the request itself.
    if (place !== undefined) return reply.header('x-accel-redirect', place).send()
  }
  if (wanted !== 'whole') reply.code(206).header('content-range', contentRange(wanted, size))
  reply.header('content-length', part.end - part.start)
  if (request.method === 'HEAD') {
    reply.hijack()
    writeHead(reply).end()
    return reply
  }

  await using bytes = await download.open()
  reply.hijack()
  writeHead(reply)
  const { socket } = request.raw
  const before = socket.bytesWritten
  let sent = part.end - part.start
  const sentSoFar = () => Math.min(part.end - part.start, Math.max(0, socket.bytesWritten - socket.writableLength - before))
  const isOpen = () => download.isOpen?.(sentSoFar())
  const watch = download.isOpen && setInterval(() => void breakOffUnless(isOpen, reply), askEvery)
  try {
    await bytes.sendTo(reply.raw, part)
    reply.raw.end()
  } catch (error) {
    // Whoever hung up knows; anything else is ours. Either way the other side must not take half for the whole.
    if (!socket.destroyed)
      request.log.error(
        { err: error, path: loggedPath(request.routeOptions.url, request.params, request.url) },
        'a download broke off',
      )
    sent = sentSoFar()
    reply.raw.destroy()
  } finally {
    clearInterval(watch)
  }
  await download.onSent?.(sent).catch((err: unknown) => request.log.error({ err }, 'a download could not be noted'))
  return reply
}

/** Whoever comes without it, from the machine itself, say, would be sent the place instead of the file. */
const isProxied = ({ ips = [] }: FastifyRequest) => ips.length > 1

/** How long somebody who lost the right to a download may go on receiving it. */
const askEvery = 5_000

async function breakOffUnless(isOpen: () => Promise<boolean> | undefined, reply: FastifyReply) {
  // A database that does not answer says nothing about anybody's rights.
  if (await isOpen()?.catch(() => true)) return
  reply.log.info('a download was broken off: whoever asked for it may not have it any more')
  reply.raw.destroy()
}

function writeHead(reply: FastifyReply) {
  reply.request.reportResponseTime?.()
  return reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
}
