import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** Who may call an endpoint. The server's guard, the OpenAPI document and the tests all read this one word. */
export type Access = 'public' | 'staff' | 'admin'

type Schema = z.core.$ZodType

/** One line of the API. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/v1/${string}`
  access: Access
  /** One sentence: what the call does. */
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  /** The shape of the answer, or `none` for 204. */
  reply: Schema | 'none'
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

export type Reply<E extends Endpoint> = E['reply'] extends Schema ? z.output<E['reply']> : undefined

export const endpoint = <const E extends Endpoint>(e: E): E => e
