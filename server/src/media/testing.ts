import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import sharp from 'sharp'

interface PngOptions {
  width: number
  height: number
  /** Bits per channel of an RGBA image. */
  bits?: 8 | 16
  /** How many frames an APNG announces. */
  frames?: number
}

/** Returns a valid, transparent PNG. Large ones take kilobytes and milliseconds, because compressed zeros repeat. */
export function makePng({ width, height, bits = 8, frames }: PngOptions): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, 6, 0, 0, 0], 8)
  const animation = Buffer.alloc(8)
  animation.writeUInt32BE(frames ?? 0, 0)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    buildPngChunk('IHDR', header),
    ...(frames === undefined ? [] : [buildPngChunk('acTL', animation)]),
    buildPngChunk('IDAT', compressZeros(height * (1 + (width * 4 * bits) / 8))),
    buildPngChunk('IEND', Buffer.alloc(0)),
  ])
}

function buildPngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Builds a zlib stream of zeros by repeating one compressed block. */
function compressZeros(count: number): Buffer {
  const blockSize = 2 ** 20
  const block = deflateRawSync(Buffer.alloc(blockSize), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const blocks = Array<Buffer>(Math.floor(count / blockSize)).fill(block)
  const checksum = Buffer.alloc(4) // Adler-32 of zeros
  checksum.writeUInt16BE(count % 65_521, 0)
  checksum.writeUInt16BE(1, 2)
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, deflateRawSync(Buffer.alloc(count % blockSize)), checksum])
}

/** Calls `onStart` for each drawing process that this process starts, until it is disposed of. */
export function watchDrawing(onStart: (child: ChildProcess) => void, program = 'draw-image.ts'): Disposable {
  const listener = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    child.once('spawn', () => {
      if (child.spawnargs.some((word) => word.endsWith(`/${program}`))) onStart(child)
    })
  }
  subscribe('child_process', listener)
  return { [Symbol.dispose]: () => void unsubscribe('child_process', listener) }
}

/** Returns the peak memory of a process so far, in MiB, as Linux counts it; 0 if it has ended. */
export function readPeakMemoryMiB(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

export const createImage = (width: number, height: number, background = '#ff0000') =>
  sharp({ create: { width, height, channels: 4, background } })

export const svg = (markup: string, size = 'viewBox="0 0 30 10"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${markup}</svg>`)
