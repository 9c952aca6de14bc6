import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { readAtMost } from './drawing/drawing-process.ts'
import { waitForExitCode } from './isolation/exit-code.ts'
import type { Program } from './isolation/programs.ts'
import { createScratchFolder } from './isolation/scratch-folder.ts'
import { spawnIsolated } from './isolation/spawn-isolated.ts'

const timeoutMs = 60_000
const maxFrameBytes = 4 * 2 ** 20
/** How many bytes ffmpeg gets of the beginning, for the first frames, and of the end, where the index may be. */
const keptBytes = 32 * 2 ** 20
/** The positions to try, in seconds. Many videos start with a black frame. */
const seconds = ['1', '0']

interface Video {
  size: number
  read: (range: { start: number; end: number }) => AsyncIterable<Buffer>
}

interface Options {
  /** ffmpeg. */
  program: Program
  demuxer: string
  signal?: AbortSignal | undefined
}

/**
 * Runs ffmpeg isolated to read a frame from the beginning of a video, as a PNG of at most 640 × 640 pixels. Returns undefined if ffmpeg
 * fails, returns no frame, or is killed, by the timeout or by `signal`. Throws if no process can be started, or if the video can't be read.
 */
export async function readVideoFrame(video: Video, { program, demuxer, signal }: Options): Promise<Buffer | undefined> {
  await using scratch = await createScratchFolder()
  await writeEnds(video, join(scratch.path, 'input'))
  const anySignal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  for (const second of seconds) {
    const input = ['-protocol_whitelist', 'file', '-f', demuxer, '-ss', second, '-i', '/job/input']
    const picture = ['-an', '-sn', '-dn', '-frames:v', '1', '-vf', 'scale=640:640:force_original_aspect_ratio=decrease']
    const command = ['-nostdin', '-v', 'error', '-threads', '1', ...input, ...picture, '-threads', '1']
    const child = await spawnIsolated([program.path, ...command, '-c:v', 'png', '-f', 'image2pipe', 'pipe:1'], {
      folder: scratch.path,
      tree: program.tree,
      signal: anySignal,
    })
    if (!child.stdout) throw new Error('ffmpeg has no output')
    const [code, frame] = await Promise.all([
      waitForExitCode(child),
      readAtMost(child.stdout, maxFrameBytes).finally(() => child.stdout?.destroy()),
    ])
    if (code === 0 && frame && frame.length > 0) return frame
    if (anySignal.aborted) return undefined
  }
  return undefined
}

/** Writes a sparse file of the same size, with only the beginning and the end of the video. */
async function writeEnds({ size, read }: Video, path: string): Promise<void> {
  await using file = await open(path, 'w')
  await file.truncate(size)
  const tail = Math.max(keptBytes, size - keptBytes)
  for (const range of [
    { start: 0, end: Math.min(keptBytes, size) },
    { start: tail, end: size },
  ]) {
    let position = range.start
    if (range.start >= range.end) continue
    for await (const chunk of read(range)) {
      await file.write(chunk, 0, chunk.length, position)
      position += chunk.length
    }
  }
}
