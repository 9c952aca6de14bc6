import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** The body of every error (RFC 9457, application/problem+json). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.custom<ErrorCode>((value) => typeof value === 'string'),
  /** A message for the user. */
  detail: z.string(),
  /** The invalid fields, and why. */
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
  /** With `company.full`, for staff: how many bytes are left, and how many the file needs. */
  space: z.optional(z.object({ left: z.number(), needed: z.number() })),
  /** With `session.second_factor`: what completes the sign-in. */
  second_factor: z.optional(
    z.object({
      /** For POST /v1/identity/second-factor. Valid for ten minutes. */
      challenge: z.string(),
      methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
      /** For how many days this browser can be trusted. Zero if it can’t. */
      trust_days: z.int(),
    }),
  ),
  /** Identifies the request in the server's log. Users quote it when they ask for help. */
  requestId: z.optional(z.string()),
})
export type Problem = z.infer<typeof Problem>
