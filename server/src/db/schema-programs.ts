import type { Delivery, DeliveryState, TokenScope } from '@neptune/contract'
import type { Kept } from './kept.ts'

/** The rows of what programs of others use: tokens to call us, and webhooks by which we call them. */
export interface ProgramTables {
  /** An API token of a person's: see features/token. */
  api_token: {
    id: string
    user_id: string
    /** Must equal the user's: whatever ends their sessions ends their tokens. */
    generation: number
    name: string
    scope: TokenScope
    hash: string
    created_at: string
    last_used_at: string | null
    expires_at: string | null
  }
  /** Where a company's events are sent: see features/webhook. */
  webhook: {
    id: string
    company_id: string
    /** Who answers for it. */
    maker_id: string
    url: string
    /** Separated by spaces. */
    events: string
    secret_sealed: string
    created_at: string
    paused_at: string | null
    /** Why it was paused, if nobody asked for that. */
    problem: string | null
    /** Tries in a row that failed, and the moment of the first. */
    failures: Kept
    failing_since: string | null
  }
  /** What a webhook is to be told, and what became of it. */
  webhook_delivery: {
    id: string
    webhook_id: string
    event: Delivery['event']
    /** As it is sent, at every try. */
    body: string
    state: DeliveryState
    created_at: string
    tries: number
    /** When it is due; while a process has it, when that claim lapses. */
    next_at: string | null
    claim: string | null
    /** Of the last answer. */
    status: number | null
    problem: string | null
  }
}
