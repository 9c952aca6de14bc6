import type { World } from './testing.ts'

export type Side = 'own' | 'foreign'

export interface Row {
  params?: (server: World, side: Side) => Record<string, string>
  body?: (server: World, side: Side) => object | string
  headers?: (server: World, side: Side) => Record<string, string>
  /** The status for a user and for an admin, on records of their own company and of another. */
  user: Record<Side, number>
  admin: Record<Side, number>
}

/** Expects the same status for both companies. */
export const same = (status: number) => ({ own: status, foreign: status })
export const adminsOnly = { user: same(403), admin: same(200) }
