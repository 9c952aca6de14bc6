import * as z from 'zod/mini'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The maximum number of files and folders that a call copies, including everything in the folders. */
export const maxCopied = 100_000

/** The original, its copy, and the name of the copy. */
const Copied = z.object({ from: Id, id: Id, name: z.string() })

const CopyRequest = z
  .strictObject({ files: z._default(z.array(Id), []), directories: z._default(z.array(Id), []), to: Id })
  .check(
    z.refine(({ files, directories }) => files.length + directories.length > 0, 'Send at least one file or directory.'),
    z.refine(({ files, directories }) => files.length + directories.length <= 200, 'Send at most 200 at once.'),
  )

export const copy = {
  copy: endpoint({
    method: 'POST',
    path: '/v1/copy',
    access: 'staff',
    token: 'write',
    summary:
      'Copy up to 200 files and folders to a directory, with everything in the folders: all of them or none. Names that are taken get a number. Earlier versions and links are not copied',
    body: CopyRequest,
    reply: z.object({ data: z.object({ files: z.array(Copied), directories: z.array(Copied) }) }),
    errors: [
      'file.not_found',
      'directory.not_found',
      'copy.too_large',
      'company.archived',
      'company.full',
      'folder.too_deep',
      'folder.path_too_long',
      'folder.too_many',
      'server.busy',
    ],
  }),
}
