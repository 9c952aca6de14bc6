import { readFileSync } from 'node:fs'

/**
 * Loaded into a Neptune by `--import`: a clock that is wrong by as many milliseconds as the file `NEPTUNE_CLOCK` says at the moment.
 * Timers go on as ever, as they do when somebody sets the clock of a machine.
 */
const file = process.env['NEPTUNE_CLOCK'] ?? ''
const RealDate = Date
const now = () => RealDate.now() + Number(readFileSync(file, 'utf8'))

class WrongDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [now()] : given) as [number]))
  }
  static override now = now
}
globalThis.Date = WrongDate as DateConstructor
