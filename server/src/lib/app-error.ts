import { type ErrorCode, errors } from '@neptune/contract'

interface Details extends ErrorOptions {
  /** Which fields were wrong, and why. */
  fields?: { field: string; message: string }[]
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number
}

/** The only error type that is thrown on purpose. Any other error is a bug and becomes `server.failed`. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Details['fields']
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, details: Details = {}) {
    super(errors[code].message, details)
    this.code = code
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}
