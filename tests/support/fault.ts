import plainFs from 'node:fs'
import fs from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { StatementSync } from 'node:sqlite'
import { promisify } from 'node:util'

/**
 * Loaded into a Neptune by `--import`: at one step of the way of a file to the disk, the process is killed or the disk refuses.
 * `NEPTUNE_FAULT` is `kill any 3` or `EIO sync 2`: what happens, at which kind of step, and at the how manieth of that kind. The steps
 * are the calls that touch `tmp/<id>` and `blobs/…` (open, write, sync, mkdir, rename), every change to the database, and the answers.
 */
const [what, kind, at] = (process.env['NEPTUNE_FAULT'] ?? '').split(' ')
const isOurs = (path: unknown) => /\/(tmp\/[\w-]{22}|blobs(\/[0-9a-f]{2})*(\/[\w-]{22})?)$/.test(String(path))
let isArmed = false
let step = 0

/** Comes before the step itself. */
function meet(name: string) {
  if (!isArmed || (kind !== 'any' && kind !== name) || ++step !== Number(at)) return
  process.stderr.write(`fault at step ${step}: ${name}\n`)
  if (what === 'kill') process.kill(process.pid, 'SIGKILL')
  const syscall = name === 'sync' ? 'fsync' : name
  if (what === 'EIO') throw Object.assign(new Error(`EIO: i/o error, ${syscall}`), { code: 'EIO', syscall })
}

async function take<T>(name: string, call: () => Promise<T>): Promise<T> {
  meet(name)
  return call()
}

/** The first upload after the start arms it; what the start itself tries does not count. */
function notice(path: unknown): boolean {
  if (/\/tmp\/[\w-]{22}$/.test(String(path))) isArmed = true
  return isOurs(path)
}

const { open, rename, mkdir } = fs
fs.open = async (path, ...rest) => {
  if (!notice(path)) return open(path, ...rest)
  const handle = await take('open', () => open(path, ...rest))
  const sync = handle.sync.bind(handle)
  const writev = handle.writev.bind(handle)
  handle.sync = () => take('sync', sync)
  handle.writev = ((...given: Parameters<typeof writev>) => take('write', () => writev(...given))) as typeof handle.writev
  return handle
}
fs.rename = (from, to) => (isOurs(from) ? take('rename', () => rename(from, to)) : rename(from, to))
fs.mkdir = ((path: string, options: object) =>
  isOurs(path) ? take('mkdir', () => mkdir(path, options)) : mkdir(path, options)) as typeof fs.mkdir

/** The same by plain descriptors, as whoever has called promisify() on these sees them. */
const openFd = promisify(plainFs.open)
const writevFd = promisify(plainFs.writev)
const syncFd = promisify(plainFs.fsync)
const ours = new Set<number>()
const instead = (name: 'open' | 'writev' | 'fsync', call: (...given: never[]) => Promise<unknown>) =>
  Object.assign(plainFs[name], { [promisify.custom]: call })
instead('open', async (path: string, ...rest: [number, number?]) => {
  const isOne = notice(path)
  const fd = await (isOne ? take('open', () => openFd(path, ...rest)) : openFd(path, ...rest))
  if (isOne) ours.add(fd)
  else ours.delete(fd) // a number that was given before
  return fd
})
instead('writev', (fd: number, ...rest: [Buffer[], number]) =>
  ours.has(fd) ? take('write', () => writevFd(fd, ...rest)) : writevFd(fd, ...rest),
)
instead('fsync', (fd: number) => (ours.has(fd) ? take('sync', () => syncFd(fd)) : syncFd(fd)))
syncBuiltinESMExports()

/** Begin, insert, update, delete, commit: whoever is killed before `commit` has changed nothing. */
const { run } = StatementSync.prototype
StatementSync.prototype.run = function (this: StatementSync, ...given: Parameters<typeof run>) {
  if (what === 'kill') meet('row')
  return run.apply(this, given)
} as typeof run

/** The answer, once the row is there: whoever is killed here has said nothing yet. */
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: Parameters<typeof writeHead>) {
  if (what === 'kill') meet('answer')
  return writeHead.apply(this, given)
} as typeof writeHead
