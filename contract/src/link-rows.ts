import * as z from 'zod/mini'
import { CompanyBrand } from './brand-rows.ts'
import { Id, Instant } from './common.ts'

export const LinkType = z.enum(
  ['LINK_FILE', 'LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'],
  'This must be LINK_FILE, LINK_DIRECTORY or LINK_EDITABLE_DIRECTORY.',
)
export type LinkType = z.infer<typeof LinkType>

/** Why a link doesn’t work, in the order in which to fix it. `expired` comes first, because an expired link has ended as planned. */
const stopReasons = [
  'expired',
  'company_archived',
  'directory_deleted',
  'file_deleted',
  'version_deleted',
  'owner_suspended',
  'owner_without_access',
] as const

/**
 * Why a link doesn’t work.
 * - `expired`: its expiry has passed.
 * - `company_archived`: its company is archived.
 * - `directory_deleted`: the directory that it shares is in the trash.
 * - `file_deleted`: the file that it shares is in the trash. For several files: none of them is left.
 * - `version_deleted`: the version that it is pinned to was deleted.
 * - `owner_suspended`: its owner can’t sign in.
 * - `owner_without_access`: its owner no longer has access to its company.
 * - `owner_removed`: its owner was removed, so it needs another owner.
 * - `owner_company_archived`: its owner can’t sign in, because their own company is archived. Only callers who see all companies get this
 *   one. Others get `owner_suspended`.
 */
export const LinkStopReason = z.enum([...stopReasons, 'owner_removed', 'owner_company_archived'])
export type LinkStopReason = z.infer<typeof LinkStopReason>

/**
 * `active`: the link works. `expiring`: it works, and expires within a week; a filter by `active` finds these, too. Any other state is the
 * first reason why the link doesn’t work. With `owner_removed` and `owner_company_archived`, the state is `owner_suspended`.
 */
export const LinkState = z.enum(
  ['active', 'expiring', ...stopReasons],
  `This must be active, expiring, ${stopReasons.slice(0, -1).join(', ')} or ${stopReasons.at(-1)}.`,
)
export type LinkState = z.infer<typeof LinkState>

/** What a list of links can be filtered by: a state, or `unopened` for links that work and that nobody has opened yet. */
export const LinkFilterState = z.enum(
  [...LinkState.options, 'unopened'],
  `This must be unopened, active, expiring, ${stopReasons.slice(0, -1).join(', ')} or ${stopReasons.at(-1)}.`,
)
export type LinkFilterState = z.infer<typeof LinkFilterState>

/** How often something happened, and when last. */
const Uses = z.object({ times: z.number(), last_at: z.nullable(Instant) })

/** A shareable link, as staff see it. It never contains the access code. */
export const LinkRow = z.object({
  key: z.string(),
  /** The address that recipients open. Always starts with `PUBLIC_URL`. */
  url: z.string(),
  /** The name of the shared directory or file. For several files, that of the directory in which they were selected. */
  name: z.string(),
  type: LinkType,
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  directory_id: Id,
  file_id: z.nullable(Id),
  /** The version of the file that the link is pinned to. Null if it shows the current one. */
  version: z.nullable(Id),
  /** For a link to several files, how many of them recipients see. Null for other links. */
  files: z.nullable(z.int()),
  date_created: Instant,
  expiry: Instant,
  state: LinkState,
  /** Why it doesn’t work, in the order in which to fix it. Empty for a link that works. */
  reasons: z.array(LinkStopReason),
  /**
   * Whether its file is in the trash and another file has its name now. Replacing a file moved it to the trash before
   * Neptune kept versions (0036).
   */
  replaced: z.boolean(),
  /** The address that its details were last sent to, or would have been sent to with a mail server. */
  email: z.nullable(z.string()),
  /** The name of the owner, and for admins also their id. */
  maker: z.string(),
  maker_id: z.optional(Id),
  /** Whether the owner is notified about the first download. */
  tells_download: z.boolean(),
  opened: Uses,
  downloaded: Uses,
  uploaded: Uses,
})
export type LinkRow = z.infer<typeof LinkRow>

/** Affected links are counted up to this number. */
export const maxAffectedLinks = 1000

/** Links that work now and would stop working. */
export const AffectedLinks = z.object({
  count: z.int(),
  /** Up to five of them, the most recently used first. */
  links: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      type: LinkType,
      client: z.string(),
      maker: z.string(),
      /** The address that its details were last sent to. */
      email: z.nullable(z.string()),
      /** When a recipient last opened it, downloaded or uploaded; null if nobody has. */
      last_used_at: z.nullable(Instant),
    }),
  ),
})
export type AffectedLinks = z.infer<typeof AffectedLinks>

/** Key and type for anyone who has the key; all fields for staff with access to the link. `several` is true for a link to several files. */
export const LinkInfo = z.extend(z.partial(LinkRow), { key: z.string(), type: LinkType, several: z.optional(z.boolean()) })

/**
 * An event of a link.
 * - `opened`: a recipient entered the code. `tried`: someone entered the right code while the link didn’t work.
 * - `downloaded`, `uploaded`: a recipient downloaded or uploaded something.
 * - `asked`: someone who has the link requested more time or a new code.
 * - `code_shown`: staff displayed the code. `code_sent`: they emailed it. `code_saved`: the email with it was saved to a file, because no
 *   mail server was set up. `reset`: they replaced the code.
 * - `extended`: staff changed the expiry. `handed_over`: the link got a new owner. `closed`: it was closed because its owner was removed.
 */
export const LinkEvent = z.object({
  id: Id,
  kind: z.enum([
    'opened',
    'tried',
    'downloaded',
    'uploaded',
    'code_shown',
    'code_sent',
    'code_saved',
    'reset',
    'extended',
    'handed_over',
    'closed',
    'asked',
  ]),
  at: Instant,
  /** How often it happened: repeated events are combined. */
  times: z.number(),
  /**
   * The name of the file, the directory or the new owner, the address that a code was sent to (`code_sent`) or would have been sent to with
   * a mail server (`code_saved`), the new expiry (`extended`; null in old events), or the kind of request (`time`, `code`).
   */
  name: z.nullable(z.string()),
  /** The size of the file, and how many bytes were transferred. */
  size: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  /** The IP address of a recipient (for IPv6, its /64 network), or the name of a staff member. */
  client: z.nullable(z.string()),
  person: z.nullable(z.string()),
})
export type LinkEvent = z.infer<typeof LinkEvent>

/** A recipient's request for more time or a new access code. */
export const LinkAsk = z.object({
  id: Id,
  key: z.string(),
  name: z.string(),
  type: LinkType,
  client: z.nullable(z.string()),
  wants: z.enum(['time', 'code']),
  /** What the recipient wrote. It is not verified. */
  message: z.nullable(z.string()),
  created_at: Instant,
  expiry: Instant,
  /** The address that a new code would be sent to. */
  email: z.nullable(z.string()),
  /** Whether what the link shares is in the trash, or the version that it is pinned to was deleted. Then the request can’t be granted. */
  target_deleted: z.boolean(),
  /** Whether the owner can sign in and has access. If not, whoever grants the request becomes the owner of the link. */
  owner_can_act: z.boolean(),
})
export type LinkAsk = z.infer<typeof LinkAsk>

/** What a recipient sees of a link. */
export const Access = z.object({
  key: z.string(),
  type: LinkType,
  /** The name of the shared directory or file. Of several files, that of the first one. */
  name: z.string(),
  /** The owner's name and company. The files may belong to a different company. */
  shared_by: z.string(),
  client: z.string(),
  /** The name and logos to show instead of those of the organisation, if the company whose files are shared has its own. */
  brand: z.nullable(CompanyBrand),
  expiry: Instant,
  /**
   * The shared directory, or the one that the shared file is in. For several files, the one in which they were selected: its ZIP contains
   * all of them.
   */
  directory_id: Id,
  /** Null for a directory, and for several files: their type is `LINK_FILE`, too. */
  file_id: z.nullable(Id),
  /** The number of files, and their total size in bytes. */
  files: z.number(),
  size: z.number(),
  /** The largest file in bytes, and how many more bytes the link accepts. Null if the link accepts no uploads. */
  upload_limits: z.nullable(z.object({ file_bytes: z.number(), bytes_left: z.number() })),
  /** Whether a staff member is viewing the link as a recipient would. */
  is_preview: z.boolean(),
})
export type Access = z.infer<typeof Access>
