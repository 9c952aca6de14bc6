import type { ApiResponse } from '../../support/call-api.ts'
import { getCurrentVersion, type ModelItem, shared } from './model.ts'
import { type Context, listOwnFiles, listOwnFolders, type Operation, pickSome, readAssignedName, waitUntil } from './operation.ts'

/** Whatever was moved to the trash at this time has expired. */
const longAgo = '2020-01-01T00:00:00.000Z'
const quote = (ids: string[]) => ids.map((id) => `'${id}'`).join(', ') || 'null'

/** Restores or deletes a version of a file. */
export function changeVersion(context: Context): Operation | undefined {
  const { model, random, call } = context
  const files = listOwnFiles(context).filter(({ versions }) => versions.length > 1)
  if (files.length === 0) return undefined
  const file = random.pick(files)
  const version = random.pick(random.chance(0.1) ? file.versions : file.versions.slice(0, -1))
  const isCurrent = version === getCurrentVersion(file)
  const path = `/v1/file/${file.id}/version/${version.id}`
  if (random.chance(0.5))
    return {
      kind: 'restore a version',
      send: () => call('POST', `${path}/restore`),
      apply() {
        if (!isCurrent) model.restoreVersion(file, version)
        return true
      },
      settle(state) {
        const isApplied = !isCurrent && state.files.get(file.id)?.blob_id === version.id
        if (isApplied) model.restoreVersion(file, version)
        return isApplied
      },
    }
  const remove = () => {
    file.versions = file.versions.filter((other) => other !== version)
  }
  return {
    kind: 'delete a version',
    mustFail: isCurrent ? ['version.current'] : undefined,
    send: () => call('DELETE', path),
    apply() {
      remove()
      return true
    },
    settle(state) {
      if (isCurrent || state.versions.some((row) => row.file_id === file.id && row.blob_id === version.id)) return false
      remove()
      return true
    },
  }
}

/** Moves up to three files, or a folder, to the trash. */
export function trash(context: Context): Operation | undefined {
  const { model, random, call } = context
  const isFolder = random.chance(0.3)
  const folders = listOwnFolders(context)
  const topCount = folders.filter(({ parent }) => parent === null).length
  const removable = folders.filter(({ parent }) => parent !== null || topCount > 2)
  const items: ModelItem[] = isFolder
    ? pickSome(random, removable, 1)
    : pickSome(random, listOwnFiles(context), random.between(1, 3))
  const [first] = items
  if (!first) return undefined
  const apply = () => {
    for (const item of items) model.trash(item)
    return true
  }
  return {
    kind: isFolder ? 'trash a folder' : 'trash files',
    send() {
      if (isFolder) return call('DELETE', `/v1/directory/${first.id}`)
      return items.length === 1
        ? call('DELETE', `/v1/file/${first.id}`)
        : call('POST', '/v1/file/delete', { ids: items.map(({ id }) => id) })
    },
    apply,
    settle: (state) => ((isFolder ? state.folders : state.files).get(first.id)?.deleted_at ?? null) !== null && apply(),
  }
}

/** Restores a file or a folder. If its folder is in the trash, too, it moves to the nearest folder above that isn't. */
export function restore(context: Context): Operation | undefined {
  const { model, client, random, call } = context
  const items = model.listTrash(client.index)
  if (items.length === 0) return undefined
  const item = random.pick(items)
  const target = item.parent === null ? undefined : model.findNearestLive(item.parent)
  const isLost = item.parent !== null && target === undefined
  const isTaken = item.parent === null && model.findTaken(null, model.getCompany(item), item.name) !== undefined
  const codes = isLost ? ['folder.directory_deleted', 'directory.not_found'] : isTaken ? ['directory.name_taken'] : undefined
  return {
    kind: `restore a ${item.kind}`,
    mustFail: codes,
    send: () =>
      item.kind === 'file'
        ? call('POST', '/v1/file/restore', { ids: [item.id] })
        : call('POST', `/v1/directory/${item.id}/restore`),
    async apply() {
      const name = target ? await readAssignedName(context, item, item.id, target) : item.name
      if (name !== undefined) model.restore(item, target?.id ?? null, name)
      return name !== undefined
    },
    settle(state) {
      const row = item.kind === 'file' ? state.files.get(item.id) : state.folders.get(item.id)
      if (!row || row.deleted_at !== null) return false
      const isPredicted = target && target.owner !== shared
      model.restore(item, target?.id ?? null, isPredicted ? model.findFreeName(target.id, item.name, item.kind) : row.name)
      return true
    },
  }
}

/**
 * Purges the oldest part of a client's trash: backdates it, so that it has expired, and lets the server's job or the command `neptune gc`
 * remove it.
 */
export function purge(context: Context): Operation | undefined {
  const { model, client, random, database, collectGarbage } = context
  const all = model.listTrash(client.index)
  const items = all.slice(0, random.between(Math.ceil(all.length / 2), all.length))
  if (items.length === 0) return undefined
  const folders = items.filter(({ kind }) => kind === 'folder')
  const folderIds = quote(folders.map(({ id }) => id))
  const fileIds = quote(items.filter(({ kind }) => kind === 'file').map(({ id }) => id))
  const isInFolders = `id in (${folderIds}) or trashed_with in (${folderIds})`
  const expire = () =>
    database.run([
      `update file set deleted_at = '${longAgo}' where id in (${fileIds}) and deleted_at is not null returning id`,
      `update directory set deleted_at = '${longAgo}' where (${isInFolders}) and deleted_at is not null returning id`,
      // Otherwise the job would not run again within a minute, because PostgreSQL records when it last ran.
      `update job set ran_at = '${longAgo}' where name = 'sweep' returning name`,
    ])
  const isGone = async () => {
    const ids = quote(folders.map(({ id }) => id))
    const rows = await database.run([
      `select id from file where id in (${fileIds})`,
      `select id from directory where id in (${ids})`,
    ])
    return rows.every(({ length }) => length === 0)
  }
  const isByCommand = random.chance(0.2)
  const run = async (): Promise<ApiResponse | undefined> => {
    await expire()
    const done = { status: 204, headers: new Headers(), body: undefined }
    return isByCommand ? collectGarbage() : (await waitUntil(context, isGone)) ? done : undefined
  }
  const apply = () => {
    for (const item of items) model.purge(item)
    return true
  }
  return {
    kind: 'purge',
    send: run,
    apply,
    // Purges what a killed process left.
    recover: async () => void (await run()),
    settle: apply,
  }
}
