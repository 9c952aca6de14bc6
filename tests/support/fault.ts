import fs from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded into a Neptune by `--import`: at one step of the way of a file to the disk, the process is killed or the disk refuses.
 * `NEPTUNE_FAULT` is `kill before 3`, `kill after 3` or `EIO at 3`, counted over the calls that touch `tmp/<id>`, `blobs/…` and, last,
 * the answer.
 */
const [what, when, at] = (process.env['NEPTUNE_FAULT'] ?? '').split(' ')
const isOurs = (path: unknown) => /\/(tmp\/[\w-]{22}|blobs(\/[0-9a-f]{2})*(\/[\w-]{22})?)$/.test(String(path))
let isArmed = false
let step = 0

const die = () => process.kill(process.pid, 'SIGKILL')

async function take<T>(name: string, call: () => Promise<T>): Promise<T> {
  if (!isArmed || ++step !== Number(at)) return call()
  process.stderr.write(`fault at step ${step}: ${name}\n`)
  if (what === 'EIO') {
    if (name !== 'sync') return call()
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' })
  }
  if (when === 'before') die()
  const result = await call()
  if (when === 'after') die()
  return result
}

const { open, rename, mkdir } = fs
fs.open = async (path, ...rest) => {
  // The first upload after the start; what the start itself tries does not count.
  if (/\/tmp\/[\w-]{22}$/.test(String(path))) isArmed = true
  const handle = isOurs(path) ? await take('open', () => open(path, ...rest)) : await open(path, ...rest)
  if (!isOurs(path)) return handle
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

/** The answer, once the row is there: whoever is killed here has said nothing yet. */
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: Parameters<typeof writeHead>) {
  if (isArmed && what === 'kill' && when === 'before' && at === 'answer') die()
  return writeHead.apply(this, given)
} as typeof writeHead
