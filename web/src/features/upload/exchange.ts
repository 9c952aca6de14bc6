import { createNetworkError } from '../../api/api-error.ts'

/** Nothing moved for so long: the network swallows what is sent. Once all is sent the server may take its time. */
const silence = 60_000
const lastSilence = 10 * 60_000

/** What is sent, to somebody who wants to know how far it is. */
export interface Bytes {
  rest: Blob
  onSent: (bytes: number) => void
}

/**
 * One request. Fails when there was no answer; what the answer says is for others to judge.
 * XMLHttpRequest, because fetch does not tell how much was sent.
 */
export function exchange(
  method: string,
  url: string,
  signal: AbortSignal,
  headers: Record<string, string>,
  body: Bytes | string | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const over = new AbortController()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      over.abort()
      settle()
    }
    const giveUp = () => request.abort()
    let timer = setTimeout(giveUp, silence)
    const wait = (milliseconds: number) => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, milliseconds)
    }

    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.onload = () => end(() => resolve(responseOf(request)))
    request.onerror = () => end(() => reject(createNetworkError()))
    request.onabort = () => end(() => reject(signal.aborted ? signal.reason : createNetworkError()))
    if (typeof body === 'object') {
      request.upload.onprogress = ({ loaded }) => {
        wait(silence)
        body.onSent(loaded)
      }
      request.upload.onload = () => wait(lastSilence)
    }
    signal.addEventListener('abort', giveUp, { signal: over.signal })
    // Browsers may let a request hang for minutes after the network has gone.
    window.addEventListener('offline', giveUp, { signal: over.signal })
    request.send(typeof body === 'object' ? body.rest : (body ?? null))
  })
}

function responseOf(request: XMLHttpRequest): Response {
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
