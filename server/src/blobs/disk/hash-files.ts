// The thread of ThreadChecksums: hashes files while they grow.
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { BlobError } from '../blob-store.ts'
import { Checksums } from '../streaming/checksums.ts'
import { noFollow } from './files.ts'
import type { HashReply, HashRequest } from './thread-checksums.ts'

interface GrowingFile {
  path: string
  size: number
  isFinal: boolean
  checksums: Checksums
}

/** Fits into the CPU's cache, because its bytes are read twice. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024)
/** How many bytes of a file are hashed before it is the turn of the next file. */
const turnBytes = 8 * buffer.length

const files = new Map<number, GrowingFile>()
/** The files that have grown since they were hashed. */
const waiting = new Set<number>()

parentPort?.on('message', ({ id, ...request }: HashRequest) => {
  if ('isDropped' in request) {
    files.delete(id)
    return
  }
  files.set(id, { ...request, checksums: files.get(id)?.checksums ?? new Checksums() })
  if (waiting.size === 0) setImmediate(hashWaiting)
  waiting.add(id)
})

function hashWaiting() {
  for (const id of waiting) {
    const file = files.get(id)
    const isBehind = file !== undefined && takeTurn(id, file)
    if (!isBehind) waiting.delete(id)
  }
  if (waiting.size > 0) setImmediate(hashWaiting)
}

/** Hashes the next bytes of a file. Returns whether more are left. */
function takeTurn(id: number, file: GrowingFile): boolean {
  try {
    hashNext(file)
  } catch {
    files.delete(id)
    send({ id, hasFailed: true })
    return false
  }
  const { checksums, size, isFinal } = file
  if (checksums.size < size) return true
  send({ id, hashedSize: size, ...(isFinal && { result: checksums.end() }) })
  return false
}

function hashNext({ path, size, checksums }: GrowingFile) {
  const end = Math.min(size, checksums.size + turnBytes)
  const fd = openSync(path, constants.O_RDONLY | noFollow)
  try {
    while (checksums.size < end) {
      const bytesRead = readSync(fd, buffer, 0, Math.min(buffer.length, end - checksums.size), checksums.size)
      if (bytesRead === 0) throw new BlobError('damaged')
      checksums.add([buffer.subarray(0, bytesRead)])
    }
  } finally {
    closeSync(fd)
  }
}

const send = (reply: HashReply) => parentPort?.postMessage(reply)
