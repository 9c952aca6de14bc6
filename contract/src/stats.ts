import * as z from 'zod/mini'
import { Id, Instant } from './common.ts'
import { endpoint } from './endpoint.ts'
import { LinkAsk, LinkRow, LinkType } from './link-rows.ts'

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
 * A step of the getting-started list, and whether it is done. Admins of a new installation set up the portal (`organisation`, `logo`,
 * `email`, `company`); others start with a directory and files.
 */
const FirstStep = z.object({
  step: z.enum(['password', 'organisation', 'logo', 'email', 'company', 'directory', 'file', 'link']),
  done: z.boolean(),
})
export type FirstStep = z.infer<typeof FirstStep>

/** A row of the list “Needs your attention”. */
const AttentionRow = z.object({
  /**
   * `request`: a recipient waits for an answer. `emails`: messages could not be sent; only for admins. `stopped`: a link doesn’t work.
   * `quota`: a company has used most of its storage quota. `expiring`: a link expires within a week. `unopened`: a link was created or last
   * sent more than 3 days ago, and nobody has opened it.
   */
  kind: z.enum(['request', 'emails', 'stopped', 'quota', 'expiring', 'unopened']),
  /** For `request` and `emails`: when the request or the last failed message was created. For `unopened`: when the link was created or last sent. */
  since: z.nullable(Instant),
  request: z.nullable(LinkAsk),
  /** For `stopped`, `expiring` and `unopened`. */
  link: z.nullable(LinkRow),
  company: z.nullable(z.object({ id: Id, name: z.string(), bytes: z.number(), quota: z.nullable(z.number()) })),
  /** The number of messages that could not be sent in the last week, up to 100. */
  emails: z.nullable(z.number()),
})
export type AttentionRow = z.infer<typeof AttentionRow>

/** An action of recipients. */
const NewsRow = z.object({
  id: Id,
  /**
   * `uploaded`: files were uploaded, with no more than an hour between two of them. `downloaded`: the first download through a link, or the
   * first in 30 days. `receipt`: a receipt was issued more than an hour after the last upload, or doesn’t cover exactly the files of the last
   * `uploaded` row.
   */
  kind: z.enum(['uploaded', 'downloaded', 'receipt']),
  /** The time of the last upload, of the download, or of the receipt. */
  at: Instant,
  /** Whether it happened after the user’s previous visit to the dashboard or, if there was none, after their account was created. */
  is_new: z.boolean(),
  files: z.number(),
  bytes: z.number(),
  /** The name of the first file, or of the directory that was downloaded. */
  name: z.nullable(z.string()),
  /** The receipt, or the last receipt that covers all of the uploads. Null if there is none. */
  receipt: z.nullable(Id),
  /** The key of the link, what it shares, and the address that it was last sent to. */
  link: z.string(),
  target: z.string(),
  type: LinkType,
  directory_id: Id,
  sent_to: z.nullable(z.string()),
  /** The company’s name, and its id. */
  client: z.string(),
  company: Id,
})
export type NewsRow = z.infer<typeof NewsRow>

const Dashboard = z.object({
  /** What needs the user’s attention, most urgent first: at most 8 rows, with some of each kind. */
  attention: z.object({
    rows: z.array(AttentionRow),
    /** The kinds with more rows than are shown: requests, companies that are nearly full, or links in a state. */
    more: z.array(
      z.enum([
        'request',
        'quota',
        'directory_deleted',
        'file_deleted',
        'version_deleted',
        'owner_suspended',
        'owner_without_access',
        'expiring',
        'unopened',
      ]),
    ),
  }),
  /** What recipients did in the last 30 days, newest first: at most 6 rows. */
  news: z.array(NewsRow),
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
    summary:
      'Get what needs attention, the news from recipients, the transfers of the last 30 days, the storage used by companies, and the getting-started list',
    reply: z.object({ data: Dashboard }),
    errors: ['server.busy'],
  }),
}
