import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'

/** One file, and little besides. */
const limits = { files: 1, fields: 5, parts: 6, fieldNameSize: 100, fieldSize: 1024, headerPairs: 20 }
/** In large pieces: every hop between parser and disk costs the same for 64 KiB as for 1 MiB. */
const pieces = { highWaterMark: 1 << 18, fileHwm: 1 << 18 }

/** For the end of a form to be noticed, in ms. */
const patience = 200

export interface MultipartFile {
  source: Readable
  /** Settles when the form came to its proper end. Only then is the file whole. */
  whole: Promise<void>
}

/** The one file of a form, in the field `file`, while it still arrives. Its declared name and type count for nothing. */
export function readMultipartFile({ raw, headers }: FastifyRequest): Promise<MultipartFile> {
  const form = openForm(headers['content-type'] ?? '')
  const whole = Promise.withResolvers<void>()
  whole.promise.catch(() => undefined) // whoever has the file hears of it
  return new Promise((resolve, reject) => {
    const refuse = (cause?: unknown) => {
      const refusal = new AppError('file.multipart', { cause })
      reject(refusal)
      whole.reject(refusal)
      raw.unpipe(form)
      form.destroy()
    }
    let part: Readable | undefined
    let isFinished = false
    /** A form whose last part is broken neither ends nor fails by itself. Once all has come, and been read, a proper one ends at once. */
    const refuseUnlessFinished = () => {
      if (!raw.readableEnded || (part && !part.readableEnded)) return
      setTimeout(() => isFinished || refuse('no end'), patience)
    }
    raw.on('end', refuseUnlessFinished)
    form.on('file', (field, source) => {
      part = source.on('end', refuseUnlessFinished)
      source.on('error', refuse)
      if (field !== 'file') return refuse(`a file in the field ${field}`)
      resolve({ source, whole: whole.promise })
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) form.on(limit, () => refuse(limit))
    form.on('error', refuse)
    form.on('finish', () => {
      isFinished = true
      whole.resolve()
      if (!part) reject(new AppError('file.multipart'))
    })
    raw.on('aborted', () => refuse('cut'))
    raw.pipe(form)
  })
}

function openForm(type: string) {
  const [, quoted, plain = ''] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === '' || boundary.length > 70) throw new AppError('file.multipart')
  try {
    return new Busboy({ headers: { 'content-type': type }, limits, ...pieces })
  } catch (cause) {
    throw new AppError('file.multipart', { cause })
  }
}
