import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { waitForExitCode } from '../isolation/exit-code.ts'
import { spawnConfined } from '../isolation/spawn-confined.ts'

interface Options {
  /** The maximum size of the result. A larger one counts as a failure, so this is far more than any result should need. */
  maxBytes: number
  /** Long, because the machine may be busy. spawn-confined.ts limits the CPU time. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/**
 * Runs one of the `draw-*.ts` programs in this folder in a separate process, and returns what it writes. Returns undefined if the process
 * fails or is killed, including by the signal. Throws if no process can be started, or if the image cannot be read.
 */
export async function runDrawing(program: string, image: Readable, options: Options): Promise<Buffer | undefined> {
  const { maxBytes, timeoutMs, signal } = options
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
  const child = await spawnConfined([join(import.meta.dirname, program)], AbortSignal.any(signals))
  if (!child.stdin || !child.stdout) throw new Error('the drawing process has no pipes')
  const [result, pipeError, code] = await Promise.all([
    readAtMost(child.stdout, maxBytes).finally(() => child.stdout?.destroy()),
    pipeline(image, child.stdin).catch((err: NodeJS.ErrnoException) => err),
    waitForExitCode(child),
  ])
  if (pipeError && !isClosedPipe(pipeError)) throw pipeError
  return code === 0 && result && result.length > 0 ? result : undefined
}

/** Returns whether a write failed only because the process closed its end of the pipe: it rejected the image, or was killed. */
const isClosedPipe = ({ code = '' }: NodeJS.ErrnoException) =>
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'].includes(code)

/** Reads a stream. Returns undefined if it has more than `maxBytes`, or if it fails. */
export async function readAtMost(stream: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream) {
      length += chunk.length
      if (length > maxBytes) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks)
}
