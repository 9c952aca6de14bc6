import * as z from 'zod/mini'
import { Id, Instant } from './common.ts'
import { endpoint } from './endpoint.ts'
import { FileKind, FileRow } from './file.ts'

/** A version of a file, as staff see it. Its id never changes, even when it is restored and gets another number. */
export const VersionRow = z.object({
  id: Id,
  /** Counted from 1. The current version has the highest number. */
  number: z.number(),
  is_current: z.boolean(),
  size: z.number(),
  sha256: z.string(),
  content_type: z.string(),
  kind: FileKind,
  /** Whether the stored bytes were found to differ from those uploaded. A damaged version can’t be downloaded or restored. */
  damaged: z.boolean(),
  /** The URL of a thumbnail, as for files. */
  image: z.nullable(z.string()),
  date_created: Instant,
  /** When the next version replaced it; null for the current one. */
  replaced_at: z.nullable(Instant),
  /** The name of the staff member who uploaded it, or the key of the link that a recipient uploaded it through. */
  uploaded_by: z.nullable(z.string()),
  link: z.nullable(z.string()),
  /** How many live links are pinned to it. They stop working when it is deleted. */
  pinned_links: z.number(),
})
export type VersionRow = z.infer<typeof VersionRow>

const byVersion = { params: z.strictObject({ id: Id, version: Id }), access: 'staff', token: 'write' } as const

export const version = {
  list: endpoint({
    method: 'GET',
    path: '/v1/file/{id}/version',
    access: 'staff',
    token: 'read',
    summary: 'List the versions of a file, the current one first, at most 1,000',
    params: z.strictObject({ id: Id }),
    reply: z.object({ data: z.array(VersionRow) }),
    errors: ['file.not_found'],
  }),
  restore: endpoint({
    ...byVersion,
    method: 'POST',
    path: '/v1/file/{id}/version/{version}/restore',
    summary: 'Make an earlier version the current one. It gets the next number, and the previous current version is kept',
    reply: z.object({ data: FileRow }),
    errors: ['file.not_found', 'version.not_found', 'file.damaged'],
  }),
  remove: endpoint({
    ...byVersion,
    method: 'DELETE',
    path: '/v1/file/{id}/version/{version}',
    summary: 'Delete an earlier version for good. Links that are pinned to it stop working',
    reply: 'none',
    errors: ['file.not_found', 'version.not_found', 'version.current'],
  }),
}
