import type * as z from 'zod/mini'
import type { TokenScope } from './common.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call an endpoint. `link`: recipients, who have the token of a link. `shared`: recipients and staff. The server's guard,
 * the OpenAPI document and the tests all use this value.
 */
export type AccessRule = 'public' | 'staff' | 'admin' | 'link' | 'shared'

type Schema = z.core.$ZodType

/** Describes a request or reply header in the OpenAPI document. */
export interface Header {
  summary: string
  type?: 'integer'
  pattern?: string
  /** The header may be missing. */
  optional?: true
}

export type HeaderDescriptions = Readonly<Record<string, Header>>

/**
 * The body of a reply: a schema for JSON; `none` for 204; `empty` for headers only, with the status that the handler sets; `redirect` for
 * 302; `events` for server-sent events; `bytes` for a download with one of the content types in `types`. A download whose errors include
 * `range.unsatisfiable` supports range and conditional requests.
 */
type ReplyKind =
  | { reply: Schema | 'none' | 'empty' | 'redirect' | 'events'; types?: never; redirects?: never }
  | {
      reply: 'bytes'
      types: readonly string[]
      /** May redirect (302) to the same bytes in the object store. */
      redirects?: true
    }

/** Declares one operation of the API. The OpenAPI document is generated from it, and tests compare every reply with it. */
export type Endpoint = ReplyKind & {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  path: `/v1/${string}`
  access: AccessRule
  /** A public endpoint that returns more to callers with a token. */
  identifiesCaller?: true
  /** The scope an API token needs; `write` includes `read`. If absent, API tokens can't call the endpoint. */
  token?: TokenScope
  /** Requires that the caller signed in or confirmed their identity within the last 15 minutes: see POST /v1/identity/confirm. */
  isSensitive?: true
  /** Also open to people who must set up a second factor before anything else. */
  isForEnrollment?: true
  /** What the call does, without a full stop at the end. */
  summary: string
  params?: Schema
  query?: Schema
  /**
   * A schema for JSON; otherwise the handler reads the stream. `bytes`: a part of a file, as tus sends it. `file`: a small file, as
   * `application/octet-stream`. `form`: `application/x-www-form-urlencoded`, for protocols that require it.
   */
  body?: Schema | 'bytes' | 'file' | 'multipart' | 'form'
  /** Request headers that the handler reads. */
  headers?: HeaderDescriptions
  /** Cookies that the handler reads. */
  cookies?: HeaderDescriptions
  /** Headers of a successful reply, besides those of every reply and of every download. */
  replyHeaders?: HeaderDescriptions
  /** Headers of an error reply, besides those that belong to its status. */
  errorHeaders?: HeaderDescriptions
  /** Every error code that the handler can throw, besides those that any call can return. */
  errors?: readonly ErrorCode[]
}

type Part = 'params' | 'query' | 'body'

/** The parts of a request as a handler receives them: validated, with defaults applied. */
export type Parsed<E extends Endpoint> = {
  [P in Part as E[P] extends Schema ? P : never]: z.output<Extract<E[P], Schema>>
}

/** The parts of a request as a caller passes them. */
export type Args<E extends Endpoint> = {
  [P in Part as E[P] extends Schema ? P : never]: z.input<Extract<E[P], Schema>>
}

// biome-ignore lint/suspicious/noConfusingVoidType: handlers without a reply body need no return statement.
export type Reply<E extends Endpoint> = E['reply'] extends Schema ? z.output<E['reply']> : void

/** Declares an endpoint. The type parameter keeps its literal types, from which `Parsed`, `Args` and `Reply` derive theirs. */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration
