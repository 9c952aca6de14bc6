import { constants } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { BlobError, type StoredBlob } from '../blob-store.ts'
import { computeFileChecksums, type UploadChecksums } from '../streaming/checksums.ts'
import { sumLengths } from '../streaming/write-batches.ts'
import { openIfExists } from './files.ts'

/** The size from which on an upload is hashed in the thread. For smaller ones, it gains nothing. */
export const minThreadBytes = 4 * 2 ** 20
/** How much a file grows between two messages to the thread. */
const messageBytes = 2 * 2 ** 20
/** By how much hashing may be behind writing. Limits how long a client waits for the reply after its last byte. */
const maxLagBytes = 64 * 2 ** 20

/** A message to the thread: hash this file up to this size, and send the result if that is its final size; or forget the file. */
export type HashRequest = { id: number } & ({ path: string; size: number; isFinal: boolean } | { isDropped: true })
/** A message from the thread: up to which size a file is hashed, or the result; or that the file could not be read. */
export type HashReply = { id: number } & ({ hashedSize: number; result?: StoredBlob } | { hasFailed: true })

/**
 * Computes the checksums of an upload in a thread, which reads from the file what the main thread has written: so a second CPU core
 * shares the work. If the thread fails, `end` hashes the file without it.
 */
export class ThreadChecksums implements UploadChecksums {
  size: number
  readonly #id = ++lastId
  readonly #path: string
  #sentSize = 0
  #hashedSize = 0
  #result: StoredBlob | undefined
  #hasFailed = false
  #wake = () => {}

  /** Starts with the bytes that the file already has. */
  constructor(path: string, size = 0) {
    this.#path = path
    this.size = size
    active.set(this.#id, this)
  }

  add(chunks: readonly Buffer[]) {
    this.size += sumLengths(chunks)
  }

  async follow(size: number) {
    if (size - this.#sentSize < messageBytes) return
    this.#send(size, false)
    await this.#waitUntil(() => size - this.#hashedSize <= maxLagBytes)
  }

  async end(): Promise<StoredBlob> {
    this.#send(this.size, true)
    await this.#waitUntil(() => this.#result !== undefined)
    this.drop()
    return this.#result ?? hashFile(this.#path, this.size)
  }

  drop() {
    if (active.delete(this.#id)) worker?.postMessage({ id: this.#id, isDropped: true } satisfies HashRequest)
  }

  /** Takes a message from the thread. */
  receive(reply: HashReply) {
    if ('hasFailed' in reply) this.#hasFailed = true
    else {
      this.#hashedSize = reply.hashedSize
      // Messages turn a Buffer into a Uint8Array.
      this.#result = reply.result && { ...reply.result, head: Buffer.from(reply.result.head) }
    }
    this.#wake()
  }

  #send(size: number, isFinal: boolean) {
    this.#sentSize = size
    if (this.#hasFailed) return
    worker ??= startWorker()
    worker.postMessage({ id: this.#id, path: this.#path, size, isFinal } satisfies HashRequest)
  }

  async #waitUntil(isDone: () => boolean) {
    if (waiting++ === 0) worker?.ref()
    while (!isDone() && !this.#hasFailed) await new Promise<void>((resolve) => (this.#wake = resolve))
    if (--waiting === 0) worker?.unref()
  }
}

const active = new Map<number, ThreadChecksums>()
let lastId = 0
/** How many calls wait for the thread. It keeps the process alive only for them. */
let waiting = 0
let worker: Worker | undefined

function startWorker(): Worker {
  const started = new Worker(new URL('./hash-files.ts', import.meta.url))
  const onFailure = () => {
    if (worker === started) worker = undefined
    for (const [id, checksums] of active) checksums.receive({ id, hasFailed: true })
  }
  started.unref()
  return started
    .on('message', (reply: HashReply) => active.get(reply.id)?.receive(reply))
    .on('error', onFailure)
    .on('exit', onFailure)
}

async function hashFile(path: string, size: number): Promise<StoredBlob> {
  await using file = await openIfExists(path, constants.O_RDONLY)
  if (!file) throw new BlobError('missing')
  return (await computeFileChecksums(file, size)).end()
}
