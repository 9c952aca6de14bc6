import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Export } from '../lib/export.ts'
import { formatAttachmentHeader } from '../lib/net/content-disposition.ts'

/** If no page was read or produced for this long, the client has probably stopped reading. It must not keep others from exporting. */
const maxPauseMs = 60_000

/**
 * Sends an export as a download. Closes the connection if the export fails in the middle, so that the client notices, if the caller loses
 * access, or if the client has stopped reading.
 */
export function sendExport(reply: FastifyReply, exported: Export): void {
  let pageStartedAt = performance.now()
  async function* watchPages() {
    for await (const page of exported.lines) {
      pageStartedAt = performance.now()
      yield page
    }
  }
  const check = async () => {
    const isProgressing = performance.now() - pageStartedAt < maxPauseMs
    // Continues when the check itself fails, because that says nothing about the caller's access.
    if (!isProgressing || !(await exported.mayContinue().catch(() => true))) reply.raw.destroy()
  }
  const timer = setInterval(() => void check(), reply.server.recheckIntervalMs)
  const stream = Readable.from(watchPages(), { objectMode: false })
  stream.once('close', () => {
    clearInterval(timer)
    exported[Symbol.dispose]()
  })
  reply.headers({
    'content-type': `${exported.type}; charset=utf-8`,
    'content-disposition': formatAttachmentHeader(exported.name),
    'cache-control': 'private, no-store',
  })
  reply.send(stream)
}
