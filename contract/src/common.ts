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

/** What somebody or something is called: more than spaces. */
export const Name = text(120).check(
  z.regex(/\S/, 'This must not be empty.'),
  z.regex(
    /^[^\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/,
    'This must not contain characters that break lines or turn them around.',
  ),
)

/** What a file or a directory is called. What it may hold, the server says: it depends on bytes, not on letters. */
export const Title = text(1020)

/** Where a browser finds a download, without a header of its own. */
export const DownloadTicket = z.object({ url: z.string() })

/** Narrows a list to what belongs to something; empty means all. */
export const filterId = z.optional(
  z.string().check(z.maxLength(64), z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'This must not contain control characters.')),
)

/** True or false. */
export const Flag = z.boolean('This must be true or false.')

/** Longest e-mail address there is (RFC 5321). */
export const emailMax = 254

/** One address and nothing else: no display name, no list, no quoting that two mail programs could read differently. */
export const Email = text(emailMax).check(
  z.regex(
    /^\s*[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\s*$/,
    'This must be an e-mail address, such as kim@acme.example.',
  ),
)

/** An id the server made. Opaque to every client. */
export const Id = text(64)

/** An instant, as ISO-8601 in UTC: the same string on disk, on the wire and in the contract. It sorts by time. */
export const Instant = z.string()

/** `2026-12-31`, the end of that day in UTC, or an instant with its zone. */
export const Expiry = text(40).check(
  z.regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/,
    'This must be a date such as 2026-12-31, or an instant such as 2026-12-31T23:00:00Z.',
  ),
)

/** What an API token is good for: `read` lists and downloads, `write` also changes. */
export const TokenScope = z.enum(['read', 'write'], 'This must be one of read, write.')
export type TokenScope = z.infer<typeof TokenScope>

export const Role = z.enum(['NEPTUNE_USER', 'NEPTUNE_ADMIN'], 'This must be NEPTUNE_USER or NEPTUNE_ADMIN.')
export type Role = z.infer<typeof Role>

/**
 * What every list takes: how much of it, from where on, what to look for and in which order (`-name` is descending).
 * A page says where the next one begins; the cursor is the server's own and means nothing to anybody else.
 */
export function listQuery<const S extends string>(sorts: readonly [S, ...S[]]) {
  const orders = sorts.flatMap((sort) => [sort, `-${sort}`] as const) as [S | `-${S}`, ...(S | `-${S}`)[]]
  const message = 'This must be a whole number from 1 to 200.'
  return {
    limit: z._default(z.coerce.number(message).check(z.int(message), z.gte(1, message), z.lte(200, message)), 50),
    cursor: z.optional(text(1000)),
    search: z.optional(text(100)),
    sort: z.optional(z.enum(orders, `This must be one of ${orders.join(', ')}.`)),
  }
}

export const listReply = <Row extends z.core.$ZodType>(row: Row) => z.object({ data: z.array(row), next: z.nullable(z.string()) })
