import * as z from 'zod/mini'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

/** What went in and out on one day. */
const TransferDay = z.object({
  /** `2026-12-03`, a day of UTC. */
  day: z.string(),
  uploads: z.number(),
  /** Also of a part, and of a directory as a ZIP. */
  downloads: z.number(),
  bytes_in: z.number(),
  bytes_out: z.number(),
})
export type TransferDay = z.infer<typeof TransferDay>

/** One of the first steps of somebody new, and whether it is done. */
const FirstStep = z.object({
  step: z.enum(['password', 'company', 'directory', 'file', 'link', 'recipient']),
  done: z.boolean(),
})
export type FirstStep = z.infer<typeof FirstStep>

const Dashboard = z.object({
  /** The last thirty days, the oldest first. */
  transfers: z.array(TransferDay),
  storage: z.object({
    /** Those that keep most: their bytes with the trash, and the files they show. */
    companies: z.array(z.object({ id: Id, name: z.string(), bytes: z.number(), files: z.number() })),
    /** How many companies there are. */
    total: z.number(),
    /** How many bytes each may keep, if that is limited. */
    quota: z.nullable(z.number()),
  }),
  /** Null for whoever has done them all, or is not new. */
  start: z.nullable(z.array(FirstStep)),
})
export type Dashboard = z.infer<typeof Dashboard>

export const stats = {
  read: endpoint({
    method: 'GET',
    path: '/v1/stats',
    access: 'staff',
    token: 'read',
    summary: 'How many links, directories and files there are: of every company for admins, of their own for users',
    reply: z.object({ data: z.object({ links: z.number(), directories: z.number(), files: z.number() }) }),
  }),
  dashboard: endpoint({
    method: 'GET',
    path: '/v1/dashboard',
    access: 'staff',
    token: 'read',
    summary: 'Transfers of the last thirty days, what companies keep, and what somebody new has still to do',
    reply: z.object({ data: Dashboard }),
  }),
}
