import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { computeBackoffMs } from '../../../lib/backoff.ts'
import { BlobError } from '../../blob-store.ts'
import { createS3Signer, type S3Settings } from './signer.ts'
import { createS3Transport, readText, type S3Request, type S3Response } from './transport.ts'

export interface RetryLimits {
  /** No further attempt starts after this time. */
  retryForMs: number
  idleTimeoutMs: number
}

/** An error response of the store, for the operator's log. Contains no secrets and no signed URLs. */
export class S3Error extends Error {
  override name = 'S3Error'
  readonly status: number
  /** The S3 error code, such as `NoSuchBucket` or `AccessDenied`. */
  readonly code: string

  constructor({ method, key = '' }: S3Request, { status, text }: S3Response) {
    const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? []
    super(`The store responded to ${method} ${key || 'bucket'} with ${status}${code && ` ${code}`}`)
    this.status = status
    this.code = code
  }
}

export type S3Client = ReturnType<typeof openS3Client>

/** Leaves time for a second attempt after one that ran into the idle timeout. */
const defaultLimits: RetryLimits = { retryForMs: 16_000, idleTimeoutMs: 15_000 }
/** For health checks, and for cleanup while a caller waits: the sweep removes what stays behind. */
export const shortLimits: RetryLimits = { retryForMs: 3_000, idleTimeoutMs: 3_000 }
const maxAttempts = 4

/** Opens a client that signs requests and retries temporary failures. It doesn't follow redirects. */
export function openS3Client(settings: S3Settings) {
  const signer = createS3Signer(settings)
  const { send, exchange } = createS3Transport(settings.endpoint, signer)
  return {
    getCopySource: signer.getCopySource,
    presign: signer.presign,

    /** Returns the response if its status is expected, and throws an `S3Error` otherwise. Fault: `unavailable`, after retries. */
    async request(request: S3Request, expected: number[], limits: RetryLimits = defaultLimits): Promise<S3Response> {
      const startedAt = performance.now()
      for (let attempt = 1; ; attempt++) {
        const outcome = await exchange(request, limits.idleTimeoutMs).catch((error: Error) => error)
        if ('status' in outcome && expected.includes(outcome.status)) return outcome
        if ('status' in outcome && !isRetryable(outcome.status)) throw new S3Error(request, outcome)
        const delayMs = computeRandomBackoffMs(attempt)
        if (attempt === maxAttempts || performance.now() - startedAt + delayMs > limits.retryForMs)
          throw new BlobError('unavailable', { cause: 'status' in outcome ? new S3Error(request, outcome) : outcome })
        await wait(delayMs)
      }
    },

    /** Sends a request once and returns the response for streaming. Throws an `S3Error` if the status is not the expected one. */
    async read(request: S3Request, expected: number, signal: AbortSignal): Promise<IncomingMessage> {
      const { response } = await send(request, defaultLimits.idleTimeoutMs, signal)
      const status = response.statusCode ?? 0
      if (status === expected) return response
      const text = status >= 400 ? await readText(response) : ''
      response.destroy()
      throw new S3Error(request, { status, headers: response.headers, text })
    },
  }
}

export const isRetryable = (status: number) => [429, 500, 502, 503, 504].includes(status)

/** Returns an exponential backoff with full jitter, so that requests which failed together are not retried together. */
export const computeRandomBackoffMs = (failures: number) =>
  Math.random() * computeBackoffMs(failures, { firstMs: 400, maxMs: 1600 })
