/** Data codewords per block by version, for error correction level M (ISO/IEC 18004, table 9). URLs need at most version 5. */
const blocksOf = [[], [16], [28], [44], [32, 32], [43, 43]]

const masks: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
]

/** Reads a QR code in byte mode at error correction level M, assuming that it has no errors. `rows` are its modules, true where dark. */
export function readQr(rows: boolean[][]): string {
  const blocks = blocksOf[(rows.length - 17) / 4]
  if (!blocks) throw new Error(`No such version: ${rows.length} modules`)
  const format = bitsToNumber([0, 1, 2, 3, 4].map((column) => rows[8]?.[column] ?? false)) ^ 0b10101
  const isMasked = masks[format & 0b111]
  if (format >> 3 !== 0 || !isMasked) throw new Error('Not error level M')
  const bits = path(rows.length).map(([r, c]) => (rows[r]?.[c] ?? false) !== isMasked(r, c))
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, at) => bitsToNumber(bits.slice(8 * at, 8 * at + 8)))
  // In these versions all blocks have the same length, and their codewords are interleaved.
  const length = blocks[0] ?? 0
  const data = blocks.flatMap((_, block) => Array.from({ length }, (_, at) => words[at * blocks.length + block] ?? 0))
  const halves = data.flatMap((word) => [word >> 4, word & 15])
  const [mode, high = 0, low = 0, ...rest] = halves
  if (mode !== 0b0100) throw new Error('Not bytes')
  const bytes = Array.from({ length: high * 16 + low }, (_, at) => (rest[2 * at] ?? 0) * 16 + (rest[2 * at + 1] ?? 0))
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/** Returns the positions of the data modules in reading order: pairs of columns from the right, alternating upwards and downwards. */
function path(size: number): [number, number][] {
  const found: [number, number][] = []
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right--
    for (let step = 0; step < size; step++) {
      const r = isUp ? size - 1 - step : step
      for (const c of [right, right - 1]) if (!isFunction(r, c, size)) found.push([r, c])
    }
  }
  return found
}

/** Whether a module belongs to a finder pattern with its format information, a timing pattern, or the alignment pattern of versions 2 to 6. */
const isFunction = (r: number, c: number, size: number) =>
  (r < 9 && (c < 9 || c >= size - 8)) ||
  (r >= size - 8 && c < 9) ||
  r === 6 ||
  c === 6 ||
  (size > 21 && Math.abs(r - (size - 7)) <= 2 && Math.abs(c - (size - 7)) <= 2)

const bitsToNumber = (bits: boolean[]) => bits.reduce((sum, bit) => sum * 2 + Number(bit), 0)
