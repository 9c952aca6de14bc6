import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** The body of every error (RFC 9457, application/problem+json). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.custom<ErrorCode>((value) => typeof value === 'string'),
  /** Fit to show a person. */
  detail: z.string(),
  /** Which fields were wrong, and why. */
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
  /** What to quote when asking for help: the log has it in every line about this request. */
  requestId: z.optional(z.string()),
})
export type Problem = z.infer<typeof Problem>
