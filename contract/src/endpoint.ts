import type * as z from 'zod/mini'
import type { TokenScope } from './common.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call an endpoint: `link` is whoever holds a link's token, `shared` is they and staff. The server's guard, the OpenAPI
 * document and the tests all read this one word.
 */
export type AccessRule = 'public' | 'staff' | 'admin' | 'link' | 'shared'

type Schema = z.core.$ZodType

/** A header of a request or a reply, as the OpenAPI document describes it. */
export interface Header {
  summary: string
  type?: 'integer'
  pattern?: string
  /** In a request: may be left out. In a reply: may be missing. */
  optional?: true
}

export type Headers = Readonly<Record<string, Header>>

/**
 * A schema for JSON, `none` for 204, `empty` for headers only with the status the handler sets, `bytes` for a download with one of the
 * content types in `types`. A download whose errors include `range.unsatisfiable` supports ranges and validators.
 */
type ReplyKind =
  | { reply: Schema | 'none' | 'empty'; types?: never; redirects?: never }
  | {
      reply: 'bytes'
      types: readonly string[]
      /** May answer 302 with the address of the same bytes in the object store. */
      redirects?: true
    }

/** Declares one operation of the API. The OpenAPI document is generated from it, and tests compare every reply with it. */
export type Endpoint = ReplyKind & {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  path: `/v1/${string}`
  access: AccessRule
  /** Of a public endpoint: whoever has a token is known by it, and told more. */
  identifies?: true
  /** Which API tokens open it: those that may write open what those that may read do, too. Without it, none does. */
  token?: TokenScope
  /** One sentence: what the call does. */
  summary: string
  params?: Schema
  query?: Schema
  /** A schema for JSON; otherwise the handler reads the stream. */
  body?: Schema | 'bytes' | 'multipart'
  /** Request headers that the handler reads. */
  headers?: Headers
  /** Cookies that the handler reads. */
  cookies?: Headers
  /** Headers of a successful reply, besides those of every reply and of every download. */
  replyHeaders?: Headers
  /** Headers of an error reply, besides those that belong to its status. */
  errorHeaders?: Headers
  /** Every error code the handler can throw, besides those any call can answer. */
  errors?: readonly ErrorCode[]
}

type Part = 'params' | 'query' | 'body'

/** What a handler receives: validated, defaults applied. */
export type Parsed<E extends Endpoint> = {
  [P in Part as E[P] extends Schema ? P : never]: z.output<Extract<E[P], Schema>>
}

/** What a caller passes. */
export type Args<E extends Endpoint> = {
  [P in Part as E[P] extends Schema ? P : never]: z.input<Extract<E[P], Schema>>
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that has nothing to answer need not say so.
export type Reply<E extends Endpoint> = E['reply'] extends Schema ? z.output<E['reply']> : void

export const endpoint = <const E extends Endpoint>(e: E): E => e
