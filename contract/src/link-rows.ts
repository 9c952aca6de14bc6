import * as z from 'zod/mini'
import { Id, Instant } from './common.ts'

export const LinkType = z.enum(
  ['LINK_FILE', 'LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'],
  'This must be LINK_FILE, LINK_DIRECTORY or LINK_EDITABLE_DIRECTORY.',
)
export type LinkType = z.infer<typeof LinkType>

/**
 * `active`: opens its target; the filter also finds `expiring`, which ends within a week. `expired`: its expiry has passed.
 * `trashed`: its file or directory is in the trash, or was replaced. `paused`: its owner may no longer share it; resetting it
 * makes the caller its owner. Only an `active` or `expiring` link opens anything.
 */
export const LinkState = z.enum(
  ['active', 'expiring', 'expired', 'trashed', 'paused'],
  'This must be active, expiring, expired, trashed or paused.',
)
export type LinkState = z.infer<typeof LinkState>

/** How often, and when last. */
const Uses = z.object({ times: z.number(), last_at: z.nullable(Instant) })

/** A shareable link, as staff see it. Its code is nowhere in it. */
export const LinkRow = z.object({
  key: z.string(),
  /** The address that recipients open. Always starts with `PUBLIC_URL`. */
  url: z.string(),
  /** Of what it shares: a directory or a file. */
  name: z.string(),
  type: LinkType,
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  directory_id: Id,
  file_id: z.nullable(Id),
  date_created: Instant,
  expiry: Instant,
  state: LinkState,
  /** Whether its file is in the trash and another one has its name now. */
  replaced: z.boolean(),
  /** Whom its details were last sent to. */
  email: z.nullable(z.string()),
  /** Who made it. */
  maker: z.string(),
  /** Whether the maker is told of the first download. */
  tells_download: z.boolean(),
  opened: Uses,
  downloaded: Uses,
  uploaded: Uses,
})
export type LinkRow = z.infer<typeof LinkRow>

/** What strangers are told, and what staff who may see the link are told besides. */
export const LinkInfo = z.extend(z.partial(LinkRow), { key: z.string(), type: LinkType })

/** What happened with a link: who entered its code, what they took and brought; and what staff did with its code. */
export const LinkEvent = z.object({
  id: Id,
  kind: z.enum(['opened', 'downloaded', 'uploaded', 'code_shown', 'code_sent', 'reset', 'extended', 'asked']),
  at: Instant,
  /** How often in that visit. */
  times: z.number(),
  /** The file, or the address a code was sent to. */
  name: z.nullable(z.string()),
  /** How large it is, and how many of its bytes were completed. */
  size: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  /** From where; null for staff, who have a name. */
  client: z.nullable(z.string()),
  person: z.nullable(z.string()),
})
export type LinkEvent = z.infer<typeof LinkEvent>

/** Somebody outside asks for more time, or for a new code. */
export const LinkAsk = z.object({
  id: Id,
  key: z.string(),
  name: z.string(),
  type: LinkType,
  client: z.nullable(z.string()),
  wants: z.enum(['time', 'code']),
  /** What they said of themselves; nobody has checked it. */
  message: z.nullable(z.string()),
  created_at: Instant,
  expiry: Instant,
  /** Whom a new code would be sent to. */
  email: z.nullable(z.string()),
})
export type LinkAsk = z.infer<typeof LinkAsk>

/** The page of a recipient, in words and numbers. */
export const Access = z.object({
  key: z.string(),
  type: LinkType,
  name: z.string(),
  /** Who shared it: a person, and the company they are of, which need not be the one it is kept for. */
  shared_by: z.string(),
  client: z.string(),
  expiry: Instant,
  directory_id: Id,
  file_id: z.nullable(Id),
  /** How many files, and their bytes. */
  files: z.number(),
  size: z.number(),
  /** Staff who look at it as a recipient would. */
  is_preview: z.boolean(),
})
export type Access = z.infer<typeof Access>
