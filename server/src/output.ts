import { fstatSync, writeSync } from 'node:fs'

/** How much may wait for a reader who does not read. What comes on top is dropped: the log is not worth the service. */
const waitingAtMost = 2 ** 20

let dropped = 0
let isCut = false

/** Whole lines to the standard output, in their order. It never waits and never fails, whatever became of the other end. */
export const output = { write: isFile() ? writeToFile : writeToReader }

/** A pipe, a socket or a terminal: Node keeps what does not fit yet. */
function writeToReader(text: string) {
  if (process.stdout.writableLength > waitingAtMost) {
    dropped++
    return
  }
  process.stdout.write(dropped > 0 ? droppedLine() + text : text)
  dropped = 0
}

/** Node's own stream to a file breaks for good at the first full disk. Here the next line is tried again. */
function writeToFile(text: string) {
  try {
    if (dropped > 0) writeAll(`${isCut ? '\n' : ''}${droppedLine()}`)
    dropped = 0
    writeAll(text)
  } catch {
    dropped++
  }
}

/** A disk that is nearly full takes a part, and refuses the rest. */
function writeAll(text: string) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; isCut = at < bytes.length) at += writeSync(process.stdout.fd, bytes, at)
}

const droppedLine = () =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped, msg: 'lines of the log could not be written' })}\n`

/** Waits until all is out, though not for long: there may be nobody to read it. */
export async function outputIsOut(): Promise<void> {
  if (isFile() || process.stdout.writableLength === 0) return
  const out = new Promise((resolve) => process.stdout.write('', resolve))
  await Promise.race([out, new Promise((resolve) => setTimeout(resolve, 1000))])
}

function isFile() {
  const stats = fstatSync(process.stdout.fd)
  return stats.isFile() || (stats.isCharacterDevice() && !process.stdout.isTTY)
}
