import * as z from 'zod/mini'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The item that was moved, and the directory that it was in. */
const Moved = z.object({ id: Id, from: Id })

/** The files and folders to move, and the directory to move them to. */
const MoveRequest = z
  .strictObject({
    files: z._default(z.array(Id), []),
    directories: z._default(z.array(Id), []),
    to: Id,
  })
  .check(
    z.refine(({ files, directories }) => files.length + directories.length > 0, 'Send at least one file or directory.'),
    z.refine(({ files, directories }) => files.length + directories.length <= 200, 'Send at most 200 at once.'),
  )

export const move = {
  move: endpoint({
    method: 'POST',
    path: '/v1/move',
    access: 'staff',
    token: 'write',
    summary:
      'Move up to 200 files and folders to a directory: all of them or none. Names that are taken get a number. Returns the directory that each item was in',
    body: MoveRequest,
    reply: z.object({ data: z.object({ files: z.array(Moved), directories: z.array(Moved) }) }),
    errors: [
      'file.not_found',
      'directory.not_found',
      'directory.top_level',
      'move.into_itself',
      'move.too_large',
      'company.archived',
      'company.full',
      'folder.too_deep',
      'folder.path_too_long',
      'folder.too_many',
    ],
  }),
}
