/**
 * QR codes (ISO/IEC 18004) for what we need of them: bytes, error level M (a seventh of it may be unreadable), versions 1 to 10,
 * which is up to 213 letters.
 */

/** Rows of modules, true where dark; undefined when the text is too long. Without the quiet zone of four modules around it. */
export function qrMatrix(text: string): boolean[][] | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  const version = layouts.findIndex((layout, at) => at > 0 && headerBits(at) + 8 * bytes.length <= 8 * dataLength(layout))
  const layout = layouts[version]
  if (!layout || version < 1) return undefined
  const drawings = Array.from({ length: 8 }, (_, mask) => draw(version, interleave(dataOf(bytes, version, layout), layout), mask))
  const penalties = drawings.map(penalty)
  return drawings[penalties.indexOf(Math.min(...penalties))]
}

/** How many words check each block, and how many data words each block has. */
interface Layout {
  check: number
  blocks: number[]
}

/** By version, for error level M. The first entry is no version. */
const layouts: Layout[] = [
  { check: 0, blocks: [0] },
  { check: 10, blocks: [16] },
  { check: 16, blocks: [28] },
  { check: 26, blocks: [44] },
  { check: 18, blocks: [32, 32] },
  { check: 24, blocks: [43, 43] },
  { check: 16, blocks: [27, 27, 27, 27] },
  { check: 18, blocks: [31, 31, 31, 31] },
  { check: 22, blocks: [38, 38, 39, 39] },
  { check: 22, blocks: [36, 36, 36, 37, 37] },
  { check: 26, blocks: [43, 43, 43, 43, 44] },
]

/** Where the middles of the small squares are, in both directions. */
const alignments = [[], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]]

const dataLength = ({ blocks }: Layout) => blocks.reduce((sum, length) => sum + length, 0)

/** The mode, and how many bytes follow. */
const headerBits = (version: number) => 4 + (version < 10 ? 8 : 16)

function dataOf(bytes: number[], version: number, layout: Layout): number[] {
  const length = dataLength(layout)
  const bits = [
    ...bitsOf(0b0100, 4),
    ...bitsOf(bytes.length, headerBits(version) - 4),
    ...bytes.flatMap((byte) => bitsOf(byte, 8)),
  ]
  bits.push(...Array(Math.min(4, 8 * length - bits.length)).fill(0))
  while (bits.length % 8 !== 0) bits.push(0)
  const words = Array.from({ length: bits.length / 8 }, (_, at) => Number.parseInt(bits.slice(8 * at, 8 * at + 8).join(''), 2))
  for (let pad = 0xec; words.length < length; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

const bitsOf = (value: number, count: number) => Array.from({ length: count }, (_, at) => (value >> (count - 1 - at)) & 1)

/** The blocks' first words, then their second ones, and so on; after them the words that check them, in the same way. */
function interleave(data: number[], { check, blocks }: Layout): number[] {
  let from = 0
  const parts = blocks.map((length) => {
    from += length
    return data.slice(from - length, from)
  })
  const divisor = divisorOf(check)
  return [...zip(parts), ...zip(parts.map((part) => remainder(part, divisor)))]
}

const zip = (rows: number[][]) =>
  Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat()

/** Reed and Solomon's: the product of (x − 2⁰) … (x − 2ⁿ⁻¹), without its first factor, which is 1. */
function divisorOf(degree: number): number[] {
  let divisor = [...Array(degree - 1).fill(0), 1]
  let root = 1
  for (let i = 0; i < degree; i++) {
    divisor = divisor.map((factor, at) => times(factor, root) ^ (divisor[at + 1] ?? 0))
    root = times(root, 2)
  }
  return divisor
}

function remainder(data: number[], divisor: number[]): number[] {
  let rest: number[] = Array(divisor.length).fill(0)
  for (const word of data) {
    const factor = word ^ (rest[0] ?? 0)
    rest = divisor.map((part, at) => (rest[at + 1] ?? 0) ^ times(part, factor))
  }
  return rest
}

/** In the field of 256 made by x⁸ + x⁴ + x³ + x² + 1. */
function times(a: number, b: number): number {
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

function draw(version: number, words: number[], mask: number): boolean[][] {
  const size = 17 + 4 * version
  const fixed = fixedModules(version, size, mask)
  const bits = words.flatMap((word) => bitsOf(word, 8))
  const isFlipped = masks[mask] ?? (() => false)
  const rows = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => fixed.get(`${x} ${y}`) ?? false))
  let at = 0
  for (const [x, y] of path(size)) {
    const row = rows[y]
    if (!row || fixed.has(`${x} ${y}`)) continue
    row[x] = (bits[at++] === 1) !== isFlipped(x, y)
  }
  return rows
}

/** Two columns at a time from the right, upwards and downwards in turn, past the column that only says the rhythm. */
function* path(size: number): Generator<[x: number, y: number]> {
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

/** All that is not data: what a camera finds the code by, and how to read it. */
function fixedModules(version: number, size: number, mask: number): Map<string, boolean> {
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
  const middles = alignments[version] ?? []
  for (const x of middles) {
    for (const y of middles) {
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

type Set = (x: number, y: number, isDark: boolean) => void

/** The error level and the mask, twice, with ten bits that check them. Level M is 00. */
function drawFormat(set: Set, size: number, mask: number) {
  const bits = ((mask << 10) | checkBits(mask, 10, 0x537)) ^ 0x5412
  const bit = (at: number) => ((bits >> at) & 1) === 1
  for (let at = 0; at < 15; at++) {
    // Around the corner at the top left, beside the rhythm; then split over the two other corners.
    if (at < 8) set(8, at < 6 ? at : at + 1, bit(at))
    else set(at === 8 ? 7 : 14 - at, 8, bit(at))
    if (at < 8) set(size - 1 - at, 8, bit(at))
    else set(8, size - 15 + at, bit(at))
  }
  set(8, size - 8, true)
}

/** From version 7 on it is written down, twice, with twelve bits that check it. */
function drawVersion(set: Set, size: number, version: number) {
  const bits = (version << 12) | checkBits(version, 12, 0x1f25)
  for (let at = 0; at < 18; at++) {
    const isDark = ((bits >> at) & 1) === 1
    const [long, short] = [size - 11 + (at % 3), Math.floor(at / 3)]
    set(long, short, isDark)
    set(short, long, isDark)
  }
}

function checkBits(value: number, count: number, divisor: number): number {
  let rest = value
  for (let i = 0; i < count; i++) rest = (rest << 1) ^ ((rest >> (count - 1)) * divisor)
  return rest
}

/** How hard a drawing is to read: the standard counts long runs, squares, what looks like a corner, and too much of one colour. */
function penalty(rows: boolean[][]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x] ?? false))
  const lines = [...rows, ...columns].map((line) => line.map((isDark) => (isDark ? '1' : '0')).join(''))
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, { length }) => sum + length - 2, 0)
  const corners = lines.reduce((sum, line) => sum + 40 * (count(line, '00001011101') + count(line, '10111010000')), 0)
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2
  return runs + 3 * squares(rows) + corners + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5)
}

function squares(rows: boolean[][]): number {
  let found = 0
  for (const [y, row] of rows.entries()) {
    for (const [x, isDark] of row.entries()) {
      const others = [row[x + 1], rows[y + 1]?.[x], rows[y + 1]?.[x + 1]]
      if (others.every((other) => other === isDark)) found++
    }
  }
  return found
}

/** Also those that overlap. */
function count(line: string, pattern: string): number {
  let found = 0
  for (let at = line.indexOf(pattern); at !== -1; at = line.indexOf(pattern, at + 1)) found++
  return found
}
