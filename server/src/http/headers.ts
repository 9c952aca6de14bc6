import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'

const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** Returns the Content-Security-Policy for our pages: only our own scripts, styles and server, and the store if browsers use it directly. */
export const buildPagePolicy = ({ directEndpoint }: { directEndpoint?: string | undefined }) =>
  pagePolicy.replace("connect-src 'self'", `connect-src 'self'${directEndpoint ? ` ${directEndpoint}` : ''}`)

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * The Content-Security-Policy of the script that parses PDFs in a worker. A worker has the policy of its own script, not that of the page:
 * this one may run WebAssembly, which decodes some images, but can neither load anything nor compile text to code.
 */
export const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'"

/** Returns the default headers of replies; pages and downloads override some. Adds HSTS only for https. */
export const buildSecurityHeaders = ({ publicUrl }: { publicUrl: string }): Record<string, string> =>
  publicUrl.startsWith('https:') ? { ...defaultHeaders, 'strict-transport-security': 'max-age=31536000' } : defaultHeaders

/** Adds these headers and the request id to every reply. Rejects HTTP/1.1 requests without a host, as RFC 9112 requires. */
export function addHeaders(app: FastifyInstance, headers: Record<string, string>) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    const lacksHost = request.raw.httpVersion === '1.1' && request.raw.headers.host === undefined
    done(lacksHost ? new AppError('request.invalid') : undefined)
  })
}
