import type * as z from 'zod/mini'
import type { TokenScope } from './common.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call an endpoint: `link` is whoever holds a link's token, `shared` is they and staff. The server's guard, the OpenAPI
 * document and the tests all read this one word.
 */
export type AccessRule = 'public' | 'staff' | 'admin' | 'link' | 'shared'

type Schema = z.core.$ZodType

/** One line of the API. */
export interface Endpoint {
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
  /** The shape of the answer, `none` for 204, `empty` for headers with a status of the handler's, `bytes` for a download. */
  reply: Schema | 'none' | 'empty' | 'bytes'
  /** The errors this call may answer with, besides those any call may. */
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
