/** The response to an API call. */
export interface ApiResponse {
  status: number
  headers: globalThis.Headers
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint has its own body.
  body: any
}

/** Calls the API with a JSON body, or with bytes. Returns undefined if the connection fails. */
export async function callApi(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<ApiResponse | undefined> {
  try {
    const reply = await fetch(url + path, {
      method,
      headers: { ...(body && !Buffer.isBuffer(body) && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.includes('json')
    return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text }
  } catch {
    return undefined
  }
}
