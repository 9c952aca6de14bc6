import { api } from '@neptune/contract'
import type { Caller } from '../../../api/caller.ts'
import { call } from '../../../api/client.ts'
import type { CreateFolders } from '../trees/folder-batches.ts'

/** Returns a function that creates folders in the caller’s name, or finds those that exist. */
export const createFolderCreator =
  (caller: Caller): CreateFolders =>
  async (directory, paths) => {
    const body = { paths: paths.map((path) => path.split('/')) }
    const { data } = await call(api.directory.createFolders, { params: { id: directory }, body }, { as: caller })
    return data.map(({ id }) => id)
  }
