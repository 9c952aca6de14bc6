import { createCipheriv, randomInt } from 'node:crypto'

export type Random = ReturnType<typeof makeRandom>

/** Returns a test's random source and prints its seed: `FAULT_SEED=… npm run faults` repeats the choices. */
export function makeRandom(title: string, seed = Number(process.env['FAULT_SEED'] ?? randomInt(2 ** 31))) {
  process.stdout.write(`${title}: FAULT_SEED=${seed}\n`)
  return makeSeededRandom(seed)
}

/** Returns a random source that makes the same choices for the same seed. */
export function makeSeededRandom(seed: number) {
  // mulberry32: small, and good enough for this purpose.
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    between,
    chance: (probability: number) => next() < probability,
    /** Returns one of the items, which must not be empty. */
    pick: <T>(items: readonly T[]): T => items[between(0, items.length - 1)] as T,
    bytes(size: number): Buffer {
      const key = Buffer.alloc(16)
      for (let at = 0; at < 16; at += 4) key.writeUInt32LE(between(0, 2 ** 32 - 1), at)
      return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size))
    },
    /** Returns an independent source for a concurrent client, so that scheduling does not change the choices. */
    fork: () => makeSeededRandom(between(0, 2 ** 31)),
  }
}
