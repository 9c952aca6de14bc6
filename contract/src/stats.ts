import * as z from 'zod/mini'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Uploads and downloads of one day. */
const TransferDay = z.object({
  /** A date in UTC, such as `2026-12-03`. */
  day: z.string(),
  uploads: z.number(),
  /** Includes partial downloads, and directories downloaded as a ZIP. */
  downloads: z.number(),
  bytes_in: z.number(),
  bytes_out: z.number(),
})
export type TransferDay = z.infer<typeof TransferDay>

/**
 * A step of the getting-started list, and whether it is done. Admins of a new installation set up the portal (`organisation`, `logo`, `email`,
 * `company`); others start with a directory and files.
 */
const FirstStep = z.object({
  step: z.enum(['password', 'organisation', 'logo', 'email', 'company', 'directory', 'file', 'link']),
  done: z.boolean(),
})
export type FirstStep = z.infer<typeof FirstStep>

const Dashboard = z.object({
  /** The last 30 days, oldest first. */
  transfers: z.array(TransferDay),
  storage: z.object({
    /**
     * First the companies that are running out of storage (`warned`), then those that use the most. `bytes` includes the trash; `files`
     * does not. `quota` is null without a limit.
     */
    companies: z.array(
      z.object({
        id: Id,
        name: z.string(),
        bytes: z.number(),
        files: z.number(),
        quota: z.nullable(z.number()),
        /** Whether admins were warned that it has used most of its quota. */
        warned: z.boolean(),
      }),
    ),
    /** The number of all companies. */
    total: z.number(),
    /** The storage quota in bytes of companies without their own, if there is one. */
    quota: z.nullable(z.number()),
  }),
  /** The getting-started list. Null if the account is older than 30 days and, for admins, the installation as well. */
  start: z.nullable(z.array(FirstStep)),
})
export type Dashboard = z.infer<typeof Dashboard>

export const stats = {
  read: endpoint({
    method: 'GET',
    path: '/v1/stats',
    access: 'staff',
    token: 'read',
    summary: 'Count links, directories and files: of every company for admins, of the companies they have access to for users',
    reply: z.object({ data: z.object({ links: z.number(), directories: z.number(), files: z.number() }) }),
  }),
  setUp: endpoint({
    method: 'GET',
    path: '/v1/admin/setup',
    access: 'admin',
    summary: 'Get the steps that set up a new installation, and which of them are done',
    reply: z.object({
      data: z.object({
        /** Whether the first start was in the last 30 days. */
        is_new: z.boolean(),
        steps: z.array(FirstStep),
      }),
    }),
  }),
  dashboard: endpoint({
    method: 'GET',
    path: '/v1/dashboard',
    access: 'staff',
    token: 'read',
    summary: 'Get the transfers of the last 30 days, the storage used by companies, and the getting-started list',
    reply: z.object({ data: Dashboard }),
  }),
}
