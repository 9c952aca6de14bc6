import { expect } from 'vitest'
import type { Random } from '../random.ts'
import { findDifferences } from './compare.ts'
import { copyForeignFile, replaceFile, uploadFile } from './file-operations.ts'
import { copy, createFolder, move, rename } from './folder-operations.ts'
import { findListDifferences } from './listings.ts'
import {
  type Context,
  type FileClient,
  listOwnFiles,
  listOwnFolders,
  makeContext,
  type Operation,
  type World,
} from './operation.ts'
import { createPath } from './path-operations.ts'
import { changeVersion, purge, restore, trash } from './trash-operations.ts'

type Choose = (context: Context) => Operation | undefined

/** How often each operation is chosen, in percent. */
const weights: [number, Choose][] = [
  [17, uploadFile],
  [8, createFolder],
  [3, createPath],
  [11, replaceFile],
  [11, move],
  [9, copy],
  [5, copyForeignFile],
  [9, rename],
  [9, changeVersion],
  [9, trash],
  [7, restore],
  [2, purge],
]
/** Above one of these limits, a client is more likely to delete or purge something next. */
const limits = { files: 60, folders: 40, trash: 30 }

interface Pending {
  operation: Operation
  /** Whether the server acknowledged it before it died. */
  isAcknowledged: boolean
}

/** Lets clients change files concurrently until the server is killed. Compares its state with the model after it restarts. */
export class Workload {
  readonly #world: World
  readonly #clients: FileClient[]
  readonly #pending = new Map<FileClient, Pending>()
  /** How often each kind of operation succeeded, was refused, or was settled after a kill. */
  readonly counts = new Map<string, { ok: number; refused: number; settled: number }>()
  operations = 0

  constructor(world: World, clients: FileClient[]) {
    this.#world = world
    this.#clients = clients
  }

  /** Runs operations until one gets no response, or until `count` were started. Calls `onLast` while the last ones are in progress. */
  async run(count: number, onLast: () => void) {
    let left = count
    await Promise.all(
      this.#clients.map(async (client) => {
        while (left > 0 && this.#pending.size === 0) {
          const isLast = --left === 0
          const done = this.#act(client)
          if (isLast) onLast()
          await done
        }
      }),
    )
  }

  async #act(client: FileClient) {
    const context = makeContext(this.#world, client)
    const operation = choose(context)
    this.operations++
    const reply = await operation.send()
    if (reply === undefined) return this.#pending.set(client, { operation, isAcknowledged: false })
    const code: string = reply.body?.code ?? String(reply.status)
    const { kind, mustFail, mayFail = [] } = operation
    if (reply.status >= 300) {
      this.#count(kind, 'refused')
      const isExpected = [...(mustFail ?? []), ...mayFail].includes(code)
      if (!isExpected) this.#world.violations.push(`${client.name}: ${kind} was refused: ${code}`)
      return
    }
    if (mustFail) this.#world.violations.push(`${client.name}: ${kind} succeeded, not ${mustFail.join(' or ')}`)
    if (await operation.apply(reply)) this.#count(kind, 'ok')
    else this.#pending.set(client, { operation, isAcknowledged: true })
  }

  #count(kind: string, outcome: 'ok' | 'refused' | 'settled') {
    const counts = this.counts.get(kind) ?? { ok: 0, refused: 0, settled: 0 }
    counts[outcome]++
    this.counts.set(kind, counts)
  }

  /** Determines after a restart which of the operations without a response took effect. */
  async settle() {
    await Promise.all([...this.#pending.values()].map(({ operation }) => operation.recover?.()))
    const state = await this.#world.database.readState()
    for (const [client, { operation, isAcknowledged }] of this.#pending) {
      this.#count(operation.kind, 'settled')
      if (!operation.settle(state) && isAcknowledged)
        this.#world.violations.push(`${client.name}: ${operation.kind} was acknowledged, but is lost`)
    }
    this.#pending.clear()
  }

  /** Expects the server to be as the model predicts. No operation may be in progress. */
  async expectAsPredicted(random: Random, isThorough = false) {
    const { violations, database } = this.#world
    const differences = findDifferences(this.#world, await database.readState())
    if (differences.length === 0) differences.push(...(await findListDifferences(this.#world, random, isThorough)))
    this.#world.foreignCopies.length = 0
    const found = [...violations, ...differences]
    expect(found.slice(0, 30), `after ${this.operations} operations`).toEqual([])
  }
}

function choose(context: Context): Operation {
  const { model, client, random } = context
  for (;;) {
    const operation = pickFirst(context) ?? pickByWeight(random)(context)
    if (operation) return operation
  }

  function pickFirst(context: Context): Operation | undefined {
    if (!listOwnFolders(context).some(({ parent }) => parent === null)) return createFolder(context)
    if (random.chance(0.5)) return undefined
    if (model.listTrash(client.index).length > limits.trash) return purge(context)
    const isFull = listOwnFiles(context).length > limits.files || listOwnFolders(context).length > limits.folders
    return isFull ? trash(context) : undefined
  }
}

function pickByWeight(random: Random): Choose {
  let dice = random.between(1, 100)
  for (const [weight, choose] of weights) {
    dice -= weight
    if (dice <= 0) return choose
  }
  return uploadFile
}
