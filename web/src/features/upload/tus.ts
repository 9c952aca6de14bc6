import { api } from '@neptune/contract'
import { ApiError, readProblem } from '../../api/api-error.ts'
import type { Caller } from '../../api/caller.ts'
import { apiUrl } from '../../api/client.ts'
import { t } from '../../words/t.ts'
import { type Bytes, exchange } from './exchange.ts'
import type { Conflict } from './transfer.ts'

/** How far an upload is. With the last byte it becomes a file, and `file` is that file's id. */
export interface Standing {
  offset: number
  file: string | undefined
  /** The bytes may go straight to where they are kept. */
  isDirect: boolean
}

export interface NewUpload {
  name: string
  size: number
  directory: string
  conflict: Conflict
}

/** The four calls of tus 1.0 (https://tus.io) that an upload needs. */
export function createTus(caller: Caller) {
  const send = sendAs(caller)
  const sendPart = partsBy(send)

  return {
    async create({ name, size, directory, conflict }: NewUpload, signal: AbortSignal): Promise<Standing & { id: string }> {
      const metadata = { filename: name, directory, conflict }
      const answer = await send('POST', api.upload.create.path, signal, {
        'upload-length': String(size),
        'upload-metadata': Object.entries(metadata)
          .map(([key, value]) => `${key} ${base64(value)}`)
          .join(),
      })
      const id = /([^/]+)$/.exec(answer.headers.get('location') ?? '')?.[1]
      if (id === undefined)
        throw new ApiError('reply', t('Neptune didn’t return an address for the upload. Try again in a moment.'))
      return { id: decodeURIComponent(id), ...standing(answer) }
    },

    /** Asks how far it is. */
    async status(id: string, signal: AbortSignal): Promise<Standing> {
      return standing(await send('HEAD', address(id), signal))
    },

    /** Sends the rest of the file in one go; or the next part of it, where that goes straight to the store. */
    async append(
      id: string,
      rest: Blob,
      { offset, isDirect }: Standing,
      signal: AbortSignal,
      onSent: (bytes: number) => void,
    ): Promise<Standing> {
      const further = isDirect ? await sendPart(id, rest, offset, signal, onSent) : undefined
      if (further) return further
      const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
      return standing(await send('PATCH', address(id), signal, headers, { rest, onSent }))
    },

    /** Gives it up. */
    async remove(id: string, signal: AbortSignal): Promise<void> {
      await send('DELETE', address(id), signal)
    },
  }
}

export type Tus = ReturnType<typeof createTus>

type Send = ReturnType<typeof sendAs>

/** One request in the caller's name. */
const sendAs =
  (caller: Caller) =>
  async (
    method: string,
    path: string,
    signal: AbortSignal,
    headers: Record<string, string> = {},
    body?: Bytes | string,
  ): Promise<Response> => {
    const token = caller.token()
    if (token === undefined) throw new ApiError('session.missing', t('Sign in to continue.'), { status: 401 })
    const spoken = { 'tus-resumable': '1.0.0', ...headers, authorization: `Bearer ${token}` }
    const answer = await exchange(method, apiUrl + path, signal, spoken, body)
    if (answer.ok) return answer
    const problem = await readProblem(answer) // a HEAD has no reason to read: its status is all there is
    if (problem.status === 401) caller.onUnauthorized(token)
    throw problem
  }

/** Sends the next part of a file straight to the store. */
function partsBy(send: Send) {
  let isStoreInReach = true

  /** Undefined when the bytes must come by way of the server: it says so, or the store cannot be reached from here. */
  return async (id: string, rest: Blob, offset: number, signal: AbortSignal, onSent: (bytes: number) => void) => {
    if (!isStoreInReach) return undefined
    const say = (method: string, body: object) =>
      send(method, `${address(id)}/part`, signal, { 'content-type': 'application/json' }, JSON.stringify(body))
    const asked = await say('POST', { offset })
    const { data: part } = api.upload.openPart.reply.parse(await asked.json())
    if (!part) return undefined
    const bytes = { rest: rest.slice(0, part.size), onSent }
    const put = await exchange('PUT', part.url, signal, {}, bytes).catch(() => undefined)
    signal.throwIfAborted()
    isStoreInReach = put?.ok ?? !navigator.onLine
    return put?.ok ? standing(await say('PUT', { number: part.number })) : undefined
  }
}

const address = (id: string) => api.upload.status.path.replace('{id}', encodeURIComponent(id))

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

function standing(answer: Response): Standing {
  const offset = Number(answer.headers.get('upload-offset') ?? Number.NaN)
  if (!Number.isSafeInteger(offset))
    throw new ApiError('reply', t('Neptune didn’t report the upload’s progress. Try again in a moment.'))
  const isDirect = answer.headers.get('neptune-direct') !== null
  return { offset, file: answer.headers.get('neptune-file') ?? undefined, isDirect }
}
