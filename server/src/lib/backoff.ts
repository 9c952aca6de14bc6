interface Backoff {
  /** The delay after the first failure. */
  firstMs: number
  /** How much longer each further delay is. */
  factor?: number
  maxMs: number
}

/** Returns how long to wait after this many failures in a row. Returns 0 without failures. */
export const computeBackoffMs = (failures: number, { firstMs, factor = 2, maxMs }: Backoff): number =>
  failures < 1 ? 0 : Math.min(firstMs * factor ** (failures - 1), maxMs)
