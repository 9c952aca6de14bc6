import plainFs from 'node:fs'
import fs from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { StatementSync } from 'node:sqlite'
import { promisify } from 'node:util'

/**
 * Loaded into a server by `--import`: at one step while a file is stored, kills the process or makes the disk fail. `NEPTUNE_FAULT` is
 * for example `kill any 3` or `EIO sync 2`: the fault, the kind of step, and the number of that step. The steps are the calls that touch
 * `tmp/<id>` and `blobs/…` (open, write, sync, mkdir, rename), every change to the database, and the responses.
 */
const [fault, kind, faultStep] = (process.env['NEPTUNE_FAULT'] ?? '').split(' ')
const isBlobPath = (path: unknown) => /\/(tmp\/[\w-]{22}|blobs(\/[0-9a-f]{2})*(\/[\w-]{22})?)$/.test(String(path))
let isArmed = false
let step = 0

/** Injects the fault if this is its step. Call it before the step. */
function injectFault(name: string) {
  if (!isArmed || (kind !== 'any' && kind !== name) || ++step !== Number(faultStep)) return
  process.stderr.write(`fault at step ${step}: ${name}\n`)
  if (fault === 'kill') process.kill(process.pid, 'SIGKILL')
  const syscall = name === 'sync' ? 'fsync' : name
  if (fault === 'EIO') throw Object.assign(new Error(`EIO: i/o error, ${syscall}`), { code: 'EIO', syscall })
}

async function runStep<T>(name: string, call: () => Promise<T>): Promise<T> {
  injectFault(name)
  return call()
}

/** Arms the fault at the first upload, so that files the server opens on start don't count. Returns whether the path is a blob's. */
function armAtUpload(path: unknown): boolean {
  if (/\/tmp\/[\w-]{22}$/.test(String(path))) isArmed = true
  return isBlobPath(path)
}

const { open, rename, mkdir } = fs
fs.open = async (path, ...rest) => {
  if (!armAtUpload(path)) return open(path, ...rest)
  const handle = await runStep('open', () => open(path, ...rest))
  const sync = handle.sync.bind(handle)
  const writev = handle.writev.bind(handle)
  handle.sync = () => runStep('sync', sync)
  handle.writev = ((...args: Parameters<typeof writev>) => runStep('write', () => writev(...args))) as typeof handle.writev
  return handle
}
fs.rename = (from, to) => (isBlobPath(from) ? runStep('rename', () => rename(from, to)) : rename(from, to))
fs.mkdir = ((path: string, options: object) =>
  isBlobPath(path) ? runStep('mkdir', () => mkdir(path, options)) : mkdir(path, options)) as typeof fs.mkdir

/** Replaces the callback functions in the same way, for code that calls promisify() on them and uses file descriptors. */
const openFd = promisify(plainFs.open)
const writevFd = promisify(plainFs.writev)
const syncFd = promisify(plainFs.fsync)
const blobFds = new Set<number>()
const replacePromisified = (name: 'open' | 'writev' | 'fsync', call: (...args: never[]) => Promise<unknown>) =>
  Object.assign(plainFs[name], { [promisify.custom]: call })
replacePromisified('open', async (path: string, ...rest: [number, number?]) => {
  const isBlob = armAtUpload(path)
  const fd = await (isBlob ? runStep('open', () => openFd(path, ...rest)) : openFd(path, ...rest))
  if (isBlob) blobFds.add(fd)
  else blobFds.delete(fd) // descriptor numbers are reused
  return fd
})
replacePromisified('writev', (fd: number, ...rest: [Buffer[], number]) =>
  blobFds.has(fd) ? runStep('write', () => writevFd(fd, ...rest)) : writevFd(fd, ...rest),
)
replacePromisified('fsync', (fd: number) => (blobFds.has(fd) ? runStep('sync', () => syncFd(fd)) : syncFd(fd)))
syncBuiltinESMExports()

/** Treats every database change as a step: begin, insert, update, delete and commit. A kill before `commit` changes nothing. */
const { run } = StatementSync.prototype
StatementSync.prototype.run = function (this: StatementSync, ...args: Parameters<typeof run>) {
  if (fault === 'kill') injectFault('row')
  return run.apply(this, args)
} as typeof run

/** Treats the response as a step, which comes after the commit. A kill here means that the client gets no response. */
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: Parameters<typeof writeHead>) {
  if (fault === 'kill') injectFault('response')
  return writeHead.apply(this, args)
} as typeof writeHead
