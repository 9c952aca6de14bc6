import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The environment of the processes that tests start, without the test run's own. Sharing compiled code halves their start. */
export const childEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'neptune-compile-cache'),
}
