/**
 * Creates QR codes (ISO/IEC 18004) in byte mode with error correction level M (recovers about 15 %), versions 1 to 10, which is up
 * to 213 bytes.
 */

/** Returns the rows of modules, true for dark, without the quiet zone of four modules. Returns undefined if the text is too long. */
export function createQrMatrix(text: string): boolean[][] | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  const version = layouts.findIndex((layout, at) => at > 0 && headerBits(at) + 8 * bytes.length <= 8 * dataLength(layout))
  const layout = layouts[version]
  if (!layout || version < 1) return undefined
  const candidates = Array.from({ length: 8 }, (_, mask) =>
    draw(version, interleave(encodeData(bytes, version, layout), layout), mask),
  )
  const penalties = candidates.map(getPenalty)
  return candidates[penalties.indexOf(Math.min(...penalties))]
}

/** The number of error correction codewords per block, and of data codewords in each block. */
interface Layout {
  errorCodewords: number
  blocks: number[]
}

/** By version, for error correction level M. The first entry is unused. */
const layouts: Layout[] = [
  { errorCodewords: 0, blocks: [0] },
  { errorCodewords: 10, blocks: [16] },
  { errorCodewords: 16, blocks: [28] },
  { errorCodewords: 26, blocks: [44] },
  { errorCodewords: 18, blocks: [32, 32] },
  { errorCodewords: 24, blocks: [43, 43] },
  { errorCodewords: 16, blocks: [27, 27, 27, 27] },
  { errorCodewords: 18, blocks: [31, 31, 31, 31] },
  { errorCodewords: 22, blocks: [38, 38, 39, 39] },
  { errorCodewords: 22, blocks: [36, 36, 36, 37, 37] },
  { errorCodewords: 26, blocks: [43, 43, 43, 43, 44] },
]

/** The center coordinates of the alignment patterns by version. */
const alignmentCenters = [[], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]]

const dataLength = ({ blocks }: Layout) => blocks.reduce((sum, length) => sum + length, 0)

/** Returns the size of the mode indicator and the character count. */
const headerBits = (version: number) => 4 + (version < 10 ? 8 : 16)

function encodeData(bytes: number[], version: number, layout: Layout): number[] {
  const length = dataLength(layout)
  const bits = [
    ...toBits(0b0100, 4),
    ...toBits(bytes.length, headerBits(version) - 4),
    ...bytes.flatMap((byte) => toBits(byte, 8)),
  ]
  bits.push(...Array(Math.min(4, 8 * length - bits.length)).fill(0))
  while (bits.length % 8 !== 0) bits.push(0)
  const codewords = Array.from({ length: bits.length / 8 }, (_, at) =>
    Number.parseInt(bits.slice(8 * at, 8 * at + 8).join(''), 2),
  )
  for (let pad = 0xec; codewords.length < length; pad ^= 0xec ^ 0x11) codewords.push(pad)
  return codewords
}

const toBits = (value: number, count: number) => Array.from({ length: count }, (_, at) => (value >> (count - 1 - at)) & 1)

/** Interleaves the data codewords of all blocks, followed by their error correction codewords. */
function interleave(data: number[], { errorCodewords, blocks }: Layout): number[] {
  let from = 0
  const parts = blocks.map((length) => {
    from += length
    return data.slice(from - length, from)
  })
  const generator = getGenerator(errorCodewords)
  return [...interleaveRows(parts), ...interleaveRows(parts.map((part) => remainder(part, generator)))]
}

const interleaveRows = (rows: number[][]) =>
  Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat()

/** Returns the Reed–Solomon generator polynomial (x − 2⁰) … (x − 2ⁿ⁻¹), without the leading coefficient 1. */
function getGenerator(degree: number): number[] {
  let generator = [...Array(degree - 1).fill(0), 1]
  let root = 1
  for (let i = 0; i < degree; i++) {
    generator = generator.map((factor, at) => multiply(factor, root) ^ (generator[at + 1] ?? 0))
    root = multiply(root, 2)
  }
  return generator
}

function remainder(data: number[], generator: number[]): number[] {
  let rest: number[] = Array(generator.length).fill(0)
  for (const codeword of data) {
    const factor = codeword ^ (rest[0] ?? 0)
    rest = generator.map((part, at) => (rest[at + 1] ?? 0) ^ multiply(part, factor))
  }
  return rest
}

/** Multiplies in GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> bit) & 1) * a
  }
  return product
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function draw(version: number, codewords: number[], mask: number): boolean[][] {
  const size = 17 + 4 * version
  const functionModules = drawFunctionPatterns(version, size, mask)
  const bits = codewords.flatMap((codeword) => toBits(codeword, 8))
  const isMasked = masks[mask] ?? (() => false)
  const rows = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => functionModules.get(`${x} ${y}`) ?? false),
  )
  let at = 0
  for (const [x, y] of dataPositions(size)) {
    const row = rows[y]
    if (!row || functionModules.has(`${x} ${y}`)) continue
    row[x] = (bits[at++] === 1) !== isMasked(x, y)
  }
  return rows
}

/** Yields the positions of data modules: two columns at a time from the right, alternately up and down, skipping the timing column. */
function* dataPositions(size: number): Generator<[x: number, y: number]> {
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step
      yield [right, y]
      yield [right - 1, y]
    }
    isUp = !isUp
  }
}

/** Returns the function patterns: timing, finder and alignment patterns, format and version information. */
function drawFunctionPatterns(version: number, size: number, mask: number): Map<string, boolean> {
  const modules = new Map<string, boolean>()
  const set = (x: number, y: number, isDark: boolean) => modules.set(`${x} ${y}`, isDark)
  for (let at = 0; at < size; at++) {
    set(at, 6, at % 2 === 0)
    set(6, at, at % 2 === 0)
  }
  for (const [left, top] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    for (const [dx, dy] of square(4)) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy))
      const [x, y] = [left + dx, top + dy]
      if (x >= 0 && x < size && y >= 0 && y < size) set(x, y, ring !== 2 && ring !== 4)
    }
  }
  const centers = alignmentCenters[version] ?? []
  for (const x of centers) {
    for (const y of centers) {
      const isFinder = (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6)
      if (!isFinder) for (const [dx, dy] of square(2)) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
    }
  }
  drawFormat(set, size, mask)
  if (version >= 7) drawVersion(set, size, version)
  return modules
}

const square = (radius: number) => {
  const side = Array.from({ length: 2 * radius + 1 }, (_, at) => at - radius)
  return side.flatMap((dy) => side.map((dx) => [dx, dy] as const))
}

type SetModule = (x: number, y: number, isDark: boolean) => void

/** Draws the format information twice: error correction level (M is 00), mask, and ten error correction bits. */
function drawFormat(set: SetModule, size: number, mask: number) {
  const bits = ((mask << 10) | getCheckBits(mask, 10, 0x537)) ^ 0x5412
  const bit = (at: number) => ((bits >> at) & 1) === 1
  for (let at = 0; at < 15; at++) {
    // Around the top left finder pattern, skipping the timing patterns; then split between the other two.
    if (at < 8) set(8, at < 6 ? at : at + 1, bit(at))
    else set(at === 8 ? 7 : 14 - at, 8, bit(at))
    if (at < 8) set(size - 1 - at, 8, bit(at))
    else set(8, size - 15 + at, bit(at))
  }
  set(8, size - 8, true)
}

/** Draws the version information twice, with twelve error correction bits. Required from version 7. */
function drawVersion(set: SetModule, size: number, version: number) {
  const bits = (version << 12) | getCheckBits(version, 12, 0x1f25)
  for (let at = 0; at < 18; at++) {
    const isDark = ((bits >> at) & 1) === 1
    const [long, short] = [size - 11 + (at % 3), Math.floor(at / 3)]
    set(long, short, isDark)
    set(short, long, isDark)
  }
}

function getCheckBits(value: number, count: number, generator: number): number {
  let rest = value
  for (let i = 0; i < count; i++) rest = (rest << 1) ^ ((rest >> (count - 1)) * generator)
  return rest
}

/** Returns the penalty score of the standard: long runs, 2×2 blocks, patterns like a finder, and an uneven share of dark modules. */
function getPenalty(rows: boolean[][]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x] ?? false))
  const lines = [...rows, ...columns].map((line) => line.map((isDark) => (isDark ? '1' : '0')).join(''))
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, { length }) => sum + length - 2, 0)
  const finderLike = lines.reduce((sum, line) => sum + 40 * (count(line, '00001011101') + count(line, '10111010000')), 0)
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2
  return runs + 3 * countSquares(rows) + finderLike + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5)
}

function countSquares(rows: boolean[][]): number {
  let found = 0
  for (const [y, row] of rows.entries()) {
    for (const [x, isDark] of row.entries()) {
      const others = [row[x + 1], rows[y + 1]?.[x], rows[y + 1]?.[x + 1]]
      if (others.every((other) => other === isDark)) found++
    }
  }
  return found
}

/** Counts occurrences, including overlapping ones. */
function count(line: string, pattern: string): number {
  let found = 0
  for (let at = line.indexOf(pattern); at !== -1; at = line.indexOf(pattern, at + 1)) found++
  return found
}
