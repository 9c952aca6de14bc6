import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

const program = join(import.meta.dirname, 'draw.ts')
const patience = 10_000

/** A small picture of a large one, drawn by another process; undefined when it cannot be. Stopped by the signal, or when it takes too long. */
export async function drawThumbnail(picture: Readable, signal?: AbortSignal): Promise<Buffer | undefined> {
  const stop = AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])])
  // It gets nothing of ours: no settings, no open files, little memory for anything but pixels.
  const child = spawn(process.execPath, ['--max-old-space-size=64', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    signal: stop,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve).once('error', () => resolve(null)))
  if (child.pid !== undefined) behindEverythingElse(child.pid)
  // A child that refuses early closes its end; that it refused, its exit says.
  const [drawn, code] = await Promise.all([
    buffer(child.stdout).catch(() => undefined),
    ended,
    pipeline(picture, child.stdin).catch(() => undefined),
  ])
  return code === 0 && drawn && drawn.length > 0 ? drawn : undefined
}

function behindEverythingElse(pid: number) {
  try {
    setPriority(pid, 10)
  } catch {
    // Not everywhere allowed, and not needed.
  }
}
