import { AppError } from './app-error.ts'
import { createCallerLimits } from './concurrency/caller-limits.ts'

/** A text file that is written while it is sent. To be disposed of when the reply has ended. */
export interface Export extends Disposable {
  name: string
  type: 'text/csv' | 'application/x-ndjson'
  lines: AsyncIterable<string>
  /** Returns whether the caller may still receive it. Called every few seconds. */
  mayContinue: () => Promise<boolean>
}

const takeSlot = createCallerLimits(
  { total: 32, perGroup: 8, perCaller: 2 },
  () => new AppError('server.busy', { retryAfterSeconds: 10 }),
)

/** Takes a slot for an export of a user. Throws `server.busy` if too many are running. */
export const takeExportSlot = ({ userId, companyId }: { userId: string; companyId: string }) => takeSlot(userId, companyId)

/** For HEAD requests, whose replies have headers only. */
export async function* noLines(): AsyncGenerator<string> {}
