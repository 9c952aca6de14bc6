import type { LinkAsk, LinkEvent, LinkState, LinkType } from '@neptune/contract'
import type { Generated } from 'kysely'
import type { Counter } from '../counter.ts'

/** The first reason why a link doesn't work, apart from its expiry. `open` if there is none. */
export type LinkStanding = 'open' | Exclude<LinkState, 'active' | 'expiring' | 'expired'>

/** The tables of links, their visits and what happened through them. */
export interface LinkTables {
  /** A shareable link. Its code is stored twice: as a keyed hash for comparison, and encrypted, to be sent again. */
  link: {
    key: string
    type: LinkType
    company_id: string
    directory_id: string
    /** For links to one file only. A link to several files has the type `LINK_FILE`, and its files are in `link_file`. */
    file_id: string | null
    /** The version that it is pinned to: the `blob_id` of the file or of one of its versions. Null for the current one. */
    version: Generated<string | null>
    /** The name of the directory or file. For several files, that of the directory they were selected in, which recipients don't see. */
    name: string
    name_key: string
    name_order: string
    /** The owner. */
    maker_id: string
    code_mac: string
    code_sealed: string
    /** Incremented with every new code, which ends the visits of the old one. */
    generation: number
    created_at: string
    expires_at: string
    email: string | null
    /** Set if the owner is to be notified about the first download. */
    tells_download_at: string | null
    /** When the owner's next email about uploads is due, or when the last one was. */
    noticed_at: string | null
    /** The number and total size of recipients' uploads. */
    files: Counter
    bytes: Counter
    /** Derived from the target, the company and the owner, for filters only: see link-standing.ts. Never used for access checks. */
    standing: Generated<LinkStanding>
    /** When it was created or last sent, while nobody has opened it. Null afterwards. */
    waiting_since: Generated<string | null>
  }
  /** The files of a link to several files. */
  link_file: { link_key: string; file_id: string }
  /** A key and a code that were shown to a user but not used yet. */
  link_reservation: {
    key: string
    user_id: string
    kind: 'INITIALISE' | 'RESET'
    directory_id: string
    code_mac: string
    ends_at: string
  }
  /** A visit: a recipient who entered the code, in one browser, or staff who preview the link. */
  link_session: {
    id: string
    hash: string
    link_key: string
    /** The visit ends when this differs from the link's generation. */
    generation: number
    created_at: string
    last_seen_at: string
    idle_ends_at: string
    ends_at: string
    client: string
    /** Set when staff preview the link as a recipient. The visit ends with this session. */
    staff_session_id: string | null
  }
  /** An entry in a link's activity: see LinkEvent in the contract. */
  link_event: {
    id: string
    link_key: string
    /** The visit of an upload. For `opened`, `tried` and `downloaded`, a key made of link, client and day: events with the same key are combined. */
    session_id: string | null
    user_id: string | null
    kind: LinkEvent['kind']
    /** For `opened` and `tried`, the key of the link. For a ZIP, the id of the directory. */
    file_id: string | null
    name: string | null
    size: number | null
    bytes: number | null
    times: number
    at: string
    client: string | null
  }
  /** A recipient's unanswered request for more time or a new code. */
  link_ask: { id: string; link_key: string; wants: LinkAsk['wants']; message: string | null; created_at: string }
}
