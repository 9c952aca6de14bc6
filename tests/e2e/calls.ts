import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContext, Response, TestInfo } from '@playwright/test'

/** Avoids reusing a keep-alive connection that the server is about to close, which can happen between slow browser steps. */
export const withoutKeepAlive = { connection: 'close' }

/** Returns a function that calls the API, with the token if one is given. It throws an error with the response if the call fails. */
export const asBearer =
  (baseURL = '', token?: string) =>
  async (method: string, path: string, body?: object) => {
    const isEncoded = body instanceof FormData || body instanceof Blob // fetch knows their content type
    const headers = {
      ...withoutKeepAlive,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isEncoded && { 'content-type': 'application/json' }),
    }
    const reply = await fetch(baseURL + path, { method, headers, body: isEncoded ? body : body ? JSON.stringify(body) : null })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply.status === 204 ? undefined : reply.json()
  }

/** Records the page's calls that fail. Returns a function that attaches them to the report of a failed test. */
export function recordFailedCalls(context: BrowserContext, test: TestInfo) {
  const calls: Promise<string>[] = []
  context.on('response', (response) => {
    if (response.status() >= 400) calls.push(describeCall(response))
  })
  return async () => {
    if (test.errors.length === 0 || calls.length === 0) return
    await test.attach('failed calls', { body: (await Promise.all(calls)).join('\n'), contentType: 'text/plain' })
  }
}

async function describeCall(response: Response) {
  // A body that the page does not read never arrives.
  const body = await Promise.race([response.text(), wait(1000, '(no body)')]).catch(() => '(no body)')
  return `${response.request().method()} ${response.url()}: ${response.status()} ${body}`
}
