import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'

const everywhere = {
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

/** What a page of ours may do: run our own scripts and styles, talk to our own server, and nothing else. */
export const pagePolicyFor = ({ s3 }: { s3?: { publicEndpoint?: string | undefined } | undefined }) =>
  pagePolicy.replace("connect-src 'self'", `connect-src 'self'${s3?.publicEndpoint ? ` ${s3.publicEndpoint}` : ''}`)

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "media-src 'self'",
  // For a PDF; whatever else of ours was put into a frame would refuse.
  "frame-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** One constant object for every answer; web-files.ts loosens it for pages. Strict transport only where there is transport to be strict about. */
export const headersFor = ({ publicUrl }: { publicUrl: string }): Record<string, string> =>
  publicUrl.startsWith('https:') ? { ...everywhere, 'strict-transport-security': 'max-age=31536000' } : everywhere

export function addHeaders(app: FastifyInstance, headers: Record<string, string>) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    const isHostless = request.raw.httpVersion === '1.1' && request.raw.headers.host === undefined
    done(isHostless ? new AppError('request.invalid') : undefined)
  })
}
