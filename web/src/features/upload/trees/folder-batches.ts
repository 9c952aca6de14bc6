import { ApiError } from '../../../api/api-error.ts'

/** Creates folders by their paths below a directory, or finds those that exist. Returns their ids in the same order. */
export type CreateFolders = (directory: string, paths: readonly string[]) => Promise<readonly string[]>

/** How many folders are created in one request. The server takes up to 500, but the first files wait for the first request. */
export const foldersPerRequest = 100

export type FolderResult = { path: string; id: string } | { path: string; error: ApiError }

/**
 * Creates folders in one request. If the server rejects one of them, splits the request until only that one fails. Rejects if no folder can
 * be created now, for example when offline.
 */
export async function createBatch(create: CreateFolders, directory: string, paths: readonly string[]): Promise<FolderResult[]> {
  try {
    const ids = await create(directory, paths)
    return paths.map((path, index) => ({ path, id: ids[index] ?? '' }))
  } catch (error) {
    if (!(error instanceof ApiError) || !isRefusedFolder(error)) throw error
    const [only = ''] = paths
    if (paths.length === 1) return [{ path: only, error }]
    const middle = Math.ceil(paths.length / 2)
    const first = await createBatch(create, directory, paths.slice(0, middle))
    return [...first, ...(await createBatch(create, directory, paths.slice(middle)))]
  }
}

/** Returns whether the error is about a folder’s name or path, so that other folders may still be created. */
const isRefusedFolder = ({ code, status }: ApiError) =>
  status === 400 || code === 'folder.too_deep' || code === 'folder.path_too_long'
