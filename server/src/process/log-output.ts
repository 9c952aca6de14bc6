import { fstatSync, writeSync } from 'node:fs'

/** The maximum number of bytes to buffer for a slow reader. Further lines are dropped: serving matters more than the log. */
const maxBufferedBytes = 2 ** 20

let dropped = 0
let isLineIncomplete = false

/** Writes whole lines to standard output, in order. Never blocks and never throws, even when the reader is gone. */
export const output = { write: isFile() ? writeToFile : writeToReader }

/** Writes to a pipe, a socket or a terminal, where Node buffers the output. */
function writeToReader(text: string) {
  if (process.stdout.writableLength > maxBufferedBytes) {
    dropped++
    return
  }
  process.stdout.write(dropped > 0 ? formatDroppedLine() + text : text)
  dropped = 0
}

/** Writes to a file. Node's own stream stops working once the disk is full; this function retries with the next line. */
function writeToFile(text: string) {
  try {
    if (dropped > 0) writeAll(`${isLineIncomplete ? '\n' : ''}${formatDroppedLine()}`)
    dropped = 0
    writeAll(text)
  } catch {
    dropped++
  }
}

/** Writes in a loop, because a nearly full disk accepts only part of the text. */
function writeAll(text: string) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; isLineIncomplete = at < bytes.length) at += writeSync(process.stdout.fd, bytes, at)
}

const formatDroppedLine = () =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped, msg: 'log lines could not be written' })}\n`

/** Waits until the output is written, but at most a second: there may be no reader. */
export async function flushOutput(): Promise<void> {
  if (isFile() || process.stdout.writableLength === 0) return
  const written = new Promise((resolve) => process.stdout.write('', resolve))
  await Promise.race([written, new Promise((resolve) => setTimeout(resolve, 1000))])
}

function isFile() {
  const stats = fstatSync(process.stdout.fd)
  return stats.isFile() || (stats.isCharacterDevice() && !process.stdout.isTTY)
}
