import { ConfigError } from './config.ts'

/** Something the operator has to mend before Neptune can start, said in one line. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Why it could not start: in a sentence, or, of what nobody expected, all that is known. */
export const whyNot = (error: unknown): string => {
  if (error instanceof StartError || error instanceof ConfigError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
