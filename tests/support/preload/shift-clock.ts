import { readFileSync } from 'node:fs'

/**
 * Loaded into a server by `--import`: shifts the clock by the number of milliseconds in the file `NEPTUNE_CLOCK`, which may change at
 * any time. Timers are not affected, as when someone sets a machine's clock.
 */
const file = process.env['NEPTUNE_CLOCK'] ?? ''
const RealDate = Date
const now = () => RealDate.now() + Number(readFileSync(file, 'utf8'))

class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [now()] : args) as [number]))
  }
  static override now = now
}
globalThis.Date = ShiftedDate as DateConstructor
