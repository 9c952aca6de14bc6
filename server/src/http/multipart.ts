import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { createTinyChunkDetector } from '../lib/crumbs.ts'
import { FormParser, parametersOf } from './form-parser.ts'

/** What may wait between the socket and the disk: every stop costs the same for 64 KiB as for 1 MiB. */
const highWaterMark = 1 << 18

export interface MultipartFile {
  source: Readable
  /** Settles when the form came to its proper end. Only then is the file whole. */
  whole: Promise<void>
}

/** The one file of a form, in the field `file`, while it still arrives. Its declared name and type count for nothing. */
export function readMultipartFile({ raw, headers }: FastifyRequest): Promise<MultipartFile> {
  const boundary = boundaryOf(headers['content-type'] ?? '')
  const whole = Promise.withResolvers<void>()
  whole.promise.catch(() => undefined) // whoever has the file hears of it
  return new Promise((resolve, reject) => {
    const source = new Readable({ highWaterMark, read: () => raw.resume() })
    const form = new FormParser(boundary, {
      begins: () => resolve({ source, whole: whole.promise }),
      // Once nobody wants it any more, the rest is let through: whoever sends it shall hear why.
      goesOn: (bytes) => source.destroyed || source.push(bytes) || raw.pause(),
      ends() {
        source.push(null)
        raw.resume() // the form goes on, and nobody asks for more of the file
      },
    })
    const refuse = (cause: unknown) => {
      raw.off('data', onData).off('end', onEnd).pause()
      const refusal = new AppError('file.multipart', { cause })
      reject(refusal)
      whole.reject(refusal)
      source.destroy(refusal)
    }
    const unlessRefused = (work: () => void) => {
      try {
        work()
      } catch (error) {
        refuse(error)
      }
    }
    const isCrumbled = createTinyChunkDetector()
    const onData = (chunk: Buffer) => (isCrumbled(chunk) ? raw.destroy() : unlessRefused(() => form.add(chunk)))
    const onEnd = () =>
      unlessRefused(() => {
        form.end()
        whole.resolve()
      })
    source.on('error', () => undefined) // nobody may listen any more, or yet
    raw
      .on('data', onData)
      .on('end', onEnd)
      .on('aborted', () => refuse('cut'))
    if (raw.destroyed) refuse('cut') // before we could listen
  })
}

function boundaryOf(type: string): string {
  const boundary = parametersOf(type).get('boundary') ?? ''
  if (boundary === '' || boundary.length > 70) throw new AppError('file.multipart')
  return boundary
}
