import { type ErrorCode, errors } from '@neptune/contract'

interface Details extends ErrorOptions {
  /** Which fields were wrong, and why. */
  fields?: { field: string; message: string }[]
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number
}

/** The only error type that features throw on purpose. http/errors.ts maps any other error, for example to `server.failed`. */
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
