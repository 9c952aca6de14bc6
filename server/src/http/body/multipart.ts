import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { createTinyChunkDetector } from '../../lib/net/tiny-chunks.ts'
import { FormParser, parseParameters } from './form-parser.ts'

/** Buffer size between the socket and the disk. Larger than the default, because every pause costs the same at any size. */
const highWaterMark = 1 << 18

export interface MultipartFile {
  source: Readable
  /** Resolves when the form is complete, and rejects when it is malformed or cut off. Keep the file only if it resolves. */
  completed: Promise<void>
}

/** Returns the file in the form field `file` as a stream, while it still arrives. Ignores its declared name and type. */
export function readMultipartFile({ raw, headers }: FastifyRequest): Promise<MultipartFile> {
  const boundary = readBoundary(headers['content-type'] ?? '')
  const completed = Promise.withResolvers<void>()
  completed.promise.catch(() => undefined) // the caller handles it once it has the file
  return new Promise((resolve, reject) => {
    const source = new Readable({ highWaterMark, read: () => raw.resume() })
    const form = new FormParser(boundary, {
      onStart: () => resolve({ source, completed: completed.promise }),
      // When the file was rejected, the rest is still read, so that the client gets the reply.
      onData: (bytes) => source.destroyed || source.push(bytes) || raw.pause(),
      onEnd() {
        source.push(null)
        raw.resume() // the rest of the form follows, but nothing reads from `source`
      },
    })
    const fail = (cause: unknown) => {
      raw.off('data', onData).off('end', onEnd).pause()
      const error = new AppError('file.multipart', { cause })
      reject(error)
      completed.reject(error)
      source.destroy(error)
    }
    const failOnError = (work: () => void) => {
      try {
        work()
      } catch (error) {
        fail(error)
      }
    }
    const hasTinyChunks = createTinyChunkDetector()
    const onData = (chunk: Buffer) => (hasTinyChunks(chunk) ? raw.destroy() : failOnError(() => form.add(chunk)))
    const onEnd = () =>
      failOnError(() => {
        form.end()
        completed.resolve()
      })
    source.on('error', () => undefined) // there may be no other listener
    raw
      .on('data', onData)
      .on('end', onEnd)
      .on('aborted', () => fail('aborted'))
    if (raw.destroyed) fail('aborted') // before we added the listener
  })
}

function readBoundary(type: string): string {
  const boundary = parseParameters(type).get('boundary') ?? ''
  if (boundary === '' || boundary.length > 70) throw new AppError('file.multipart')
  return boundary
}
