import { ConfigError } from '../config.ts'

/** A problem that the operator has to fix before Neptune can start. The message is one line. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Returns the message of an expected error, and the stack of any other. */
export const describeStartError = (error: unknown): string => {
  if (error instanceof StartError || error instanceof ConfigError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
