import fs from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { StatementSync } from 'node:sqlite'

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

const { open, rename, mkdir } = fs
fs.open = async (path, ...rest) => {
  // The first upload after the start; what the start itself tries does not count.
  if (/\/tmp\/[\w-]{22}$/.test(String(path))) isArmed = true
  if (!isOurs(path)) return open(path, ...rest)
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
