import { api } from '@neptune/contract'
import { ApiError, readProblem } from '../../../api/api-error.ts'
import type { Caller } from '../../../api/caller.ts'
import { apiUrl } from '../../../api/client.ts'
import { t } from '../../../i18n/t.ts'
import type { ConflictResolution } from '../state/upload-job.ts'
import { sendRequest, type UploadBody } from './upload-request.ts'

/** The status of an upload. `file` is the id of the resulting file, once all bytes are received. */
export interface UploadStatus {
  offset: number
  file: string | undefined
  /** The bytes may be sent directly to the object store. */
  isDirect: boolean
}

export interface NewUpload {
  name: string
  size: number
  directory: string
  conflict: ConflictResolution
}

/** Creates a client for the four calls of tus 1.0 (https://tus.io/protocols/resumable-upload) that an upload needs. */
export function createTusClient(caller: Caller) {
  const send = createSender(caller)
  const sendPart = createPartSender(send)

  return {
    async create({ name, size, directory, conflict }: NewUpload, signal: AbortSignal): Promise<UploadStatus & { id: string }> {
      const metadata = { filename: name, directory, conflict }
      const response = await send('POST', api.upload.create.path, signal, {
        'upload-length': String(size),
        'upload-metadata': Object.entries(metadata)
          .map(([key, value]) => `${key} ${encodeBase64(value)}`)
          .join(),
      })
      const id = /([^/]+)$/.exec(response.headers.get('location') ?? '')?.[1]
      if (id === undefined)
        throw new ApiError('reply', t('Neptune didn’t return an address for the upload. Try again in a moment.'))
      return { id: decodeURIComponent(id), ...readStatus(response) }
    },

    async getStatus(id: string, signal: AbortSignal): Promise<UploadStatus> {
      return readStatus(await send('HEAD', getUploadPath(id), signal))
    },

    /** Sends the rest of the file in one request, or its next part directly to the object store. */
    async append(
      id: string,
      rest: Blob,
      { offset, isDirect }: UploadStatus,
      signal: AbortSignal,
      onSent: (bytes: number) => void,
    ): Promise<UploadStatus> {
      const status = isDirect ? await sendPart(id, rest, offset, signal, onSent) : undefined
      if (status) return status
      const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
      return readStatus(await send('PATCH', getUploadPath(id), signal, headers, { blob: rest, onSent }))
    },

    async remove(id: string, signal: AbortSignal): Promise<void> {
      await send('DELETE', getUploadPath(id), signal)
    },
  }
}

export type TusClient = ReturnType<typeof createTusClient>

type Send = ReturnType<typeof createSender>

/** Returns a function that sends a request in the caller’s name, and throws the server’s error. */
const createSender =
  (caller: Caller) =>
  async (
    method: string,
    path: string,
    signal: AbortSignal,
    headers: Record<string, string> = {},
    body?: UploadBody | string,
  ): Promise<Response> => {
    const token = caller.getToken()
    if (token === undefined) throw new ApiError('session.missing', t('Sign in to continue.'), { status: 401 })
    const allHeaders = { 'tus-resumable': '1.0.0', ...headers, authorization: `Bearer ${token}` }
    const response = await sendRequest(method, apiUrl + path, signal, allHeaders, body)
    if (response.ok) return response
    const problem = await readProblem(response)
    if (problem.status !== 401) throw problem
    // A response to HEAD has no body, so another request gets the reason.
    const filesUrl = `${apiUrl}${api.file.list.path}?limit=1`
    const reason =
      method === 'HEAD' ? await readProblem(await sendRequest('GET', filesUrl, signal, allHeaders, undefined)) : problem
    if (reason.status === 401) caller.onUnauthorized(token, reason)
    throw problem
  }

/** Returns a function that sends the next part of a file directly to the object store. */
function createPartSender(send: Send) {
  let isStoreReachable = true

  /** Returns undefined if the bytes must go through the server, because it says so or the browser can’t reach the store. */
  return async (id: string, rest: Blob, offset: number, signal: AbortSignal, onSent: (bytes: number) => void) => {
    if (!isStoreReachable) return undefined
    const callPart = (method: string, body: object) =>
      send(method, `${getUploadPath(id)}/part`, signal, { 'content-type': 'application/json' }, JSON.stringify(body))
    const partResponse = await callPart('POST', { offset })
    const { data: part } = api.upload.openPart.reply.parse(await partResponse.json())
    if (!part) return undefined
    const body = { blob: rest.slice(0, part.size), onSent }
    const putResponse = await sendRequest('PUT', part.url, signal, {}, body).catch(() => undefined)
    signal.throwIfAborted()
    // While the browser is offline, a failure says nothing about the store.
    isStoreReachable = putResponse?.ok ?? !navigator.onLine
    return putResponse?.ok ? readStatus(await callPart('PUT', { number: part.number })) : undefined
  }
}

const getUploadPath = (id: string) => api.upload.status.path.replace('{id}', encodeURIComponent(id))

const encodeBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

function readStatus(response: Response): UploadStatus {
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
  if (!Number.isSafeInteger(offset))
    throw new ApiError('reply', t('Neptune didn’t report the upload’s progress. Try again in a moment.'))
  const isDirect = response.headers.get('neptune-direct') !== null
  return { offset, file: response.headers.get('neptune-file') ?? undefined, isDirect }
}
