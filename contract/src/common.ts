import * as z from 'zod/mini'

/**
 * Text a person typed. Control characters are refused everywhere, here and nowhere else: they have no business in a name,
 * an address or a password, and have carried attacks into logs, headers and file names.
 */
export const text = (max: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'This field is missing.' : 'This must be text.') })
    .check(
      z.minLength(1, 'This must not be empty.'),
      z.maxLength(max, `This must have at most ${max} characters.`),
      z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'This must not contain control characters.'),
    )

/** True or false. */
export const Flag = z.boolean('This must be true or false.')

/** Longest e-mail address there is (RFC 5321). */
export const emailMax = 254

/** An id the server made. Opaque to every client. */
export const Id = text(64)

/** An instant, as ISO-8601 in UTC: the same string on disk, on the wire and in the contract. It sorts by time. */
export const Instant = z.string()

export const Role = z.enum(['NEPTUNE_USER', 'NEPTUNE_ADMIN'])
export type Role = z.infer<typeof Role>
