import * as z from 'zod/mini'
import { DownloadTicket, FilterId, Id, Instant, listQuery, listReply, maxFolderDepth, PathItem, Title } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A top-level directory, which belongs to a company, or a folder: a directory with a parent. */
export const DirectoryRow = z.object({
  id: Id,
  /** The directory's name. */
  directory: z.string(),
  /** The directory that contains this folder. Null for top-level directories and, for recipients, for the shared directory. */
  parent: z.nullable(z.string()),
  /** The directories that contain this folder, starting with the top-level directory or, for recipients, with the shared one. */
  path: z.array(PathItem),
  /** The total size of its files in bytes, and their number, including those in the folders below. */
  size: z.number(),
  files: z.number(),
  /** The URL of a thumbnail: that of its newest image, if any. */
  source: z.nullable(z.string()),
  /** The company's name, and its id. */
  client: z.nullable(z.string()),
  company: Id,
  /** Whether its company is archived. It can be read and downloaded then, but nothing can be uploaded or shared. */
  archived: z.boolean(),
  date_created: Instant,
  /** When it was moved to the trash. */
  deleted_at: z.nullable(Instant),
  /** When it is deleted for good, with its files. */
  gone_at: z.nullable(Instant),
})
export type DirectoryRow = z.infer<typeof DirectoryRow>

/** How many files and folders of a directory can be chosen for a ZIP. The URL names them, and proxies accept URLs of 8 KB. */
export const maxZipItems = 200

const byId = { params: z.strictObject({ id: Id }), access: 'staff' } as const
const row = z.object({ data: DirectoryRow })

/** The names of nested folders, from the top down. */
const FolderPath = z
  .array(Title)
  .check(z.minLength(1, 'This must not be empty.'), z.maxLength(maxFolderDepth, `Send at most ${maxFolderDepth} names.`))

const folderLimits = ['folder.too_deep', 'folder.path_too_long', 'folder.too_many'] as const

export const directory = {
  list: endpoint({
    method: 'GET',
    path: '/v1/directory',
    access: 'shared',
    token: 'read',
    summary:
      'List directories. Admins get those of every company, users those of the companies that they have access to, and recipients the folders in the shared directory',
    query: z.object({
      /** The company's id. An empty value means all companies. */
      company: FilterId,
      /** Lists the folders directly in the directory with this id. Without it, top-level directories are listed. */
      parent: FilterId,
      /** `true` also lists folders at every depth; with `parent`, only those below it. */
      folders: z.optional(z.enum(['true', 'false'], 'This must be true or false.')),
      /** `true` lists the trash instead. */
      trash: z.optional(z.enum(['true', 'false'], 'This must be true or false.')),
      ...listQuery(['name', 'created_at']),
    }),
    reply: listReply(DirectoryRow),
    errors: ['link.forbidden', 'server.busy'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/directory',
    access: 'staff',
    token: 'write',
    summary: 'Create a directory in a company, or a folder in a directory',
    body: z
      .strictObject({
        directory: Title,
        /** The company's id. */
        client: z.optional(Id),
        /** Instead of a company, the id of the directory that will contain the folder. */
        parent: z.optional(Id),
        /** The owner's id. Defaults to the caller. Ignored unless the caller is an admin. */
        user: z.optional(Id),
      })
      .check(
        z.refine(({ client, parent }) => parent === undefined || client === undefined, {
          path: ['parent'],
          error: 'Send either client or parent.',
        }),
        z.refine(({ client, parent }) => parent !== undefined || client !== undefined, {
          path: ['client'],
          error: 'This field is missing.',
        }),
      ),
    reply: row,
    errors: [
      'company.not_found',
      'company.archived',
      'user.not_found',
      'directory.not_found',
      'directory.name_taken',
      ...folderLimits,
    ],
  }),
  createFolders: endpoint({
    ...byId,
    access: 'shared',
    method: 'POST',
    path: '/v1/directory/{id}/folders',
    token: 'write',
    summary:
      'Find or create up to 500 folders by their paths below a directory. If a file already has the name of a folder, the folder gets a number',
    body: z.strictObject({
      paths: z
        .array(FolderPath)
        .check(z.minLength(1, 'This must not be empty.'), z.maxLength(500, 'Send at most 500 paths at once.')),
    }),
    /** The folders in the order of the request, with their actual names. */
    reply: z.object({ data: z.array(z.object({ id: Id, path: z.array(z.string()) })) }),
    errors: ['directory.not_found', 'company.archived', 'link.forbidden', 'link.full', ...folderLimits],
  }),
  read: endpoint({
    ...byId,
    access: 'shared',
    method: 'GET',
    path: '/v1/directory/{id}',
    token: 'read',
    summary: 'Get a directory',
    reply: row,
    errors: ['directory.not_found', 'link.forbidden'],
  }),
  rename: endpoint({
    ...byId,
    method: 'PATCH',
    path: '/v1/directory/{id}',
    token: 'write',
    summary: 'Rename a directory',
    body: z.strictObject({ directory: Title }),
    reply: row,
    errors: ['directory.not_found', 'directory.name_taken', 'folder.path_too_long'],
  }),
  remove: endpoint({
    ...byId,
    method: 'DELETE',
    path: '/v1/directory/{id}',
    token: 'write',
    summary: 'Move a directory with all its folders and files to the trash',
    reply: 'none',
    errors: ['directory.not_found'],
  }),
  restore: endpoint({
    ...byId,
    method: 'POST',
    path: '/v1/directory/{id}/restore',
    token: 'write',
    summary:
      'Restore a directory with all its folders and files from the trash. A folder whose parent is in the trash is restored into the nearest directory above that is not, and gets a number if its name is taken',
    reply: row,
    errors: ['directory.not_found', 'directory.name_taken', 'folder.directory_deleted', 'folder.path_too_long'],
  }),
  ticket: endpoint({
    ...byId,
    access: 'shared',
    method: 'POST',
    path: '/v1/directory/{id}/ticket',
    token: 'read',
    summary:
      'Create a URL from which a browser can download the directory, or files and folders in it, as a ZIP. It works for one to two hours, while the session, API token or visit that created it is valid',
    body: z._default(
      z
        .strictObject({
          /** What to download instead of everything: files and folders in the directory, or in the folders below. */
          files: z._default(z.array(Id), []),
          directories: z._default(z.array(Id), []),
        })
        .check(
          z.refine(({ files, directories }) => files.length + directories.length <= maxZipItems, {
            path: ['files'],
            error: `Send at most ${maxZipItems} files and directories.`,
          }),
        ),
      { files: [], directories: [] },
    ),
    reply: z.object({ data: DownloadTicket }),
    errors: ['directory.not_found', 'file.not_found', 'directory.damaged', 'download.too_many'],
  }),
  download: endpoint({
    ...byId,
    access: 'shared',
    method: 'GET',
    path: '/v1/directory/{id}/zip',
    token: 'read',
    summary: 'Download a directory as a ZIP. Supports Range and If-Range',
    reply: 'bytes',
    types: ['application/zip'],
    errors: [
      'directory.not_found',
      'range.unsatisfiable',
      'file.damaged',
      'directory.damaged',
      'download.too_many',
      'server.busy',
      'storage.full',
      'storage.unavailable',
    ],
  }),
}
