import { createNetworkError } from '../../../api/api-error.ts'

/** Aborts a request that makes no progress for this long. */
const idleTimeoutMs = 60_000
/** Applies once everything is sent: the server may need time to process the file. */
const responseTimeoutMs = 10 * 60_000

/** A request body that reports its progress. */
export interface UploadBody {
  blob: Blob
  onSent: (bytes: number) => void
}

/**
 * Sends one request. Rejects only if there is no response; the caller checks its status.
 * Uses XMLHttpRequest, because fetch doesn’t report upload progress.
 */
export function sendRequest(
  method: string,
  url: string,
  signal: AbortSignal,
  headers: Record<string, string>,
  body: UploadBody | string | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const listeners = new AbortController()
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      listeners.abort()
      settle()
    }
    const abort = () => request.abort()
    let timer = setTimeout(abort, idleTimeoutMs)
    const restartTimer = (timeoutMs: number) => {
      clearTimeout(timer)
      timer = setTimeout(abort, timeoutMs)
    }

    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.onload = () => finish(() => resolve(toResponse(request)))
    request.onerror = () => finish(() => reject(createNetworkError()))
    request.onabort = () => finish(() => reject(signal.aborted ? signal.reason : createNetworkError()))
    if (typeof body === 'object') {
      request.upload.onprogress = ({ loaded }) => {
        restartTimer(idleTimeoutMs)
        body.onSent(loaded)
      }
      request.upload.onload = () => restartTimer(responseTimeoutMs)
    }
    signal.addEventListener('abort', abort, { signal: listeners.signal })
    // Browsers may let a request hang for minutes after the network is lost.
    window.addEventListener('offline', abort, { signal: listeners.signal })
    request.send(typeof body === 'object' ? body.blob : (body ?? null))
  })
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
  const headers = lines.filter(Boolean).map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  })
  return new Response(request.responseText || null, { status: request.status, headers })
}
