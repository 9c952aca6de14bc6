/** Data codewords per block by version, for error correction level M (ISO/IEC 18004, table 9). URLs need at most version 5. */
const blocksByVersion = [[], [16], [28], [44], [32, 32], [43, 43]]

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
  const blocks = blocksByVersion[(rows.length - 17) / 4]
  if (!blocks) throw new Error(`Unsupported size: ${rows.length} modules`)
  const format = bitsToNumber([0, 1, 2, 3, 4].map((column) => rows[8]?.[column] ?? false)) ^ 0b10101
  const isMasked = masks[format & 0b111]
  if (format >> 3 !== 0 || !isMasked) throw new Error('The error correction level is not M')
  const bits = listDataModules(rows.length).map(([r, c]) => (rows[r]?.[c] ?? false) !== isMasked(r, c))
  const codewords = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) => bitsToNumber(bits.slice(8 * i, 8 * i + 8)))
  // In these versions all blocks have the same length, and their codewords are interleaved.
  const length = blocks[0] ?? 0
  const data = blocks.flatMap((_, block) => Array.from({ length }, (_, i) => codewords[i * blocks.length + block] ?? 0))
  const nibbles = data.flatMap((codeword) => [codeword >> 4, codeword & 15])
  const [mode, high = 0, low = 0, ...rest] = nibbles
  if (mode !== 0b0100) throw new Error('The data is not in byte mode')
  const bytes = Array.from({ length: high * 16 + low }, (_, i) => (rest[2 * i] ?? 0) * 16 + (rest[2 * i + 1] ?? 0))
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/** Returns the positions of the data modules in reading order: pairs of columns from the right, alternating upwards and downwards. */
function listDataModules(size: number): [number, number][] {
  const modules: [number, number][] = []
  for (let right = size - 1, isUpwards = true; right > 0; right -= 2, isUpwards = !isUpwards) {
    if (right === 6) right--
    for (let step = 0; step < size; step++) {
      const r = isUpwards ? size - 1 - step : step
      for (const c of [right, right - 1]) if (!isFunctionModule(r, c, size)) modules.push([r, c])
    }
  }
  return modules
}

/**
 * Whether a module belongs to a finder pattern with its format information, a timing pattern, or the alignment pattern of versions 2 to 6.
 */
const isFunctionModule = (r: number, c: number, size: number) =>
  (r < 9 && (c < 9 || c >= size - 8)) ||
  (r >= size - 8 && c < 9) ||
  r === 6 ||
  c === 6 ||
  (size > 21 && Math.abs(r - (size - 7)) <= 2 && Math.abs(c - (size - 7)) <= 2)

const bitsToNumber = (bits: boolean[]) => bits.reduce((sum, bit) => sum * 2 + Number(bit), 0)
