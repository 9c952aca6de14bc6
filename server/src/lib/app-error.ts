import { type ErrorCode, errors, type Problem } from '@neptune/contract'

interface Details extends ErrorOptions {
  /** Which fields were wrong, and why. */
  fields?: { field: string; message: string }[]
  /** How many bytes are left, and how many a file needs. */
  space?: { left: number; needed: number } | undefined
  /** With `session.second_factor`: what completes the sign-in. */
  secondFactor?: Problem['second_factor']
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number
}

/** The only error type that features throw on purpose. http/errors.ts maps any other error, for example to `server.failed`. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Details['fields']
  readonly space: Details['space']
  readonly secondFactor: Details['secondFactor']
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, details: Details = {}) {
    super(errors[code].message, details)
    this.code = code
    this.fields = details.fields
    this.space = details.space
    this.secondFactor = details.secondFactor
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}
