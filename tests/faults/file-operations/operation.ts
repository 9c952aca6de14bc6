import { setTimeout as wait } from 'node:timers/promises'
import type { ApiResponse } from '../../support/call-api.ts'
import type { Random } from '../random.ts'
import type { TestServer } from '../test-server.ts'
import { type Model, type ModelFile, type ModelFolder, type ModelItem, shared } from './model.ts'
import type { Database, State } from './state.ts'

/** A request of a client, with the result that the model predicts. */
export interface Operation {
  kind: string
  /** The server must refuse it with one of these codes. */
  mustFail?: string[] | undefined
  /** The server may refuse it with one of these codes, depending on what other clients do at the same time. */
  mayFail?: string[] | undefined
  /** Sends the request. Returns undefined if there is no response, or one that leaves the outcome open. */
  send: () => Promise<ApiResponse | undefined>
  /** Updates the model after a success. Returns false if the server died before it returned everything that the model needs. */
  apply: (reply: ApiResponse) => Promise<boolean> | boolean
  /** Runs after a restart, before the state is read, if the outcome is unknown. */
  recover?: () => Promise<void>
  /** Determines from the server's state whether the operation took effect, and if so updates the model. Returns whether it did. */
  settle: (state: State) => boolean
}

/** One of the concurrent clients. */
export interface FileClient {
  index: number
  /** The prefix of the names of its top-level directories. */
  name: string
  random: Random
  headers: Record<string, string>
}

/** What all clients share. */
export interface World {
  server: TestServer
  database: Database
  model: Model
  /** The companies' ids. The first one has a quota. */
  companies: string[]
  violations: string[]
  /** Copies of other clients' files. Their owners may have replaced the originals in the meantime. */
  foreignCopies: { copy: ModelFile; source: ModelFile }[]
  /** Removes expired trash with a command, while the server is running. */
  collectGarbage: () => Promise<ApiResponse | undefined>
}

/** Everything that an operation of one client uses. */
export interface Context extends World {
  client: FileClient
  random: Random
  call: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<ApiResponse | undefined>
}

export function makeContext(world: World, client: FileClient): Context {
  const call: Context['call'] = async (method, path, body, headers) => {
    const reply = await world.server.call(method, path, body, { ...client.headers, ...headers })
    // If the machine is too busy, it is unknown whether the transaction was committed.
    return isUnavailable(reply) ? undefined : reply
  }
  return { ...world, client, random: client.random, call }
}

const isUnavailable = (reply: ApiResponse | undefined) => reply?.status === 503

/** Calls the API, and repeats the call while the response is 503 because the machine is too busy. */
export async function callUntilAvailable(
  { server }: Pick<World, 'server'>,
  ...request: Parameters<TestServer['call']>
): Promise<ApiResponse | undefined> {
  for (;;) {
    const reply = await server.call(...request)
    if (!isUnavailable(reply)) return reply
    await wait(50)
  }
}

const maxDepth = 7

export const listOwnFiles = ({ model, client }: Context): ModelFile[] =>
  [...model.files.values()].filter((file) => file.owner === client.index && model.isLive(file))

export const listOwnFolders = ({ model, client }: Context): ModelFolder[] =>
  [...model.folders.values()].filter((folder) => folder.owner === client.index && model.isLive(folder))

/** Whether a name is short enough to get a number. The model can't predict how the server shortens long names. */
export const hasRoomForNumber = ({ name }: { name: string }) => name.length < 60

/** Picks up to `count` different items. */
export function pickSome<T>(random: Random, items: readonly T[], count: number): T[] {
  return items.length === 0 ? [] : [...new Set(Array.from({ length: count }, () => random.pick(items)))]
}

/** Picks a target for an item with `height` levels of folders: mostly a folder of the client's own, sometimes a shared one. */
export function pickTarget(context: Context, height = 0): ModelFolder | undefined {
  const { model, random } = context
  const folders = random.chance(0.25)
    ? [...model.folders.values()].filter(({ owner }) => owner === shared)
    : listOwnFolders(context).filter((folder) => model.getPath(folder).length + height < maxDepth)
  return folders.length === 0 ? undefined : random.pick(folders)
}

/** Returns the number of levels of folders in a folder, including itself. */
export const measureHeight = ({ model }: Context, folder: ModelFolder): number =>
  1 + Math.max(0, ...model.listFoldersIn(folder.id).map((child) => measureHeight({ model } as Context, child)))

/** Returns the errors with which a full company may refuse an operation. Only the first company has a quota. */
export const listQuotaCodes = ({ companies, model }: Context, target: ModelFolder) =>
  model.getCompany(target) === companies[0] ? ['company.full'] : []

/**
 * Returns the name that the server gave to an item in a folder. Predicts it in a client's own folder, and reads it in a shared one. Returns
 * undefined if the server died.
 */
export async function readAssignedName(
  context: Context,
  item: Pick<ModelItem, 'kind' | 'name'>,
  id: string,
  target: ModelFolder,
) {
  const { model, call } = context
  if (target.owner !== shared) return model.findFreeName(target.id, item.name, item.kind)
  const [path, column] = item.kind === 'file' ? ['/v1/file?directory', 'file_name'] : ['/v1/directory?parent', 'directory']
  for (let cursor = ''; ; ) {
    const page = await call('GET', `${path}=${target.id}&limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    if (!page) return undefined
    const row = page.body.data.find((row: { id: string }) => row.id === id)
    if (row) return row[column] as string
    cursor = page.body.next ?? ''
    if (cursor === '') throw new Error(`${item.name} (${id}) is not listed in ${target.name}`)
  }
}

/** Polls until the condition is true. Returns false if the server's process ends first. */
export async function waitUntil({ server }: Pick<World, 'server'>, isTrue: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    if (await isTrue()) return true
    if (server.process.exitCode !== null || server.process.signalCode !== null) return false
    await wait(50)
  }
}
