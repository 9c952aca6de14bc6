import type { Delivery, DeliveryState, TokenScope } from '@neptune/contract'
import type { Counter } from '../counter.ts'

/** The tables for other programs: API tokens and webhooks. */
export interface ProgramTables {
  /** A person's API token: see features/token. */
  api_token: {
    id: string
    user_id: string
    /** Must equal the user's generation: whatever ends their sessions also ends their tokens. */
    generation: number
    name: string
    scope: TokenScope
    hash: string
    created_at: string
    last_used_at: string | null
    expires_at: string | null
  }
  /** A URL that receives a company's events: see features/webhook. */
  webhook: {
    id: string
    company_id: string
    /** The owner. */
    maker_id: string
    url: string
    /** Separated by spaces. */
    events: string
    secret_sealed: string
    created_at: string
    paused_at: string | null
    /** Why the webhook was paused automatically. */
    problem: string | null
    /** The number of consecutive failed attempts, and the time of the first. */
    failures: Counter
    failing_since: string | null
  }
  /** An event for a webhook, and its delivery state. */
  webhook_delivery: {
    id: string
    webhook_id: string
    event: Delivery['event']
    /** The request body, the same at every attempt. */
    body: string
    state: DeliveryState
    created_at: string
    tries: number
    /** When the next attempt is due. While a process has claimed it, when that claim expires. */
    next_at: string | null
    claim: string | null
    /** The HTTP status of the last response. */
    status: number | null
    problem: string | null
  }
}
