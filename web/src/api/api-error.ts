import { type ErrorCode, Problem } from '@neptune/contract'
import { loadAllWords, said, t } from '../words/t.ts'

/** The contract's codes, and the two failures no server can report: it was not reached, or its answer made no sense. */
type ApiErrorCode = ErrorCode | 'network' | 'reply'

interface Facts {
  status?: number
  errors?: Problem['errors']
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
}

/** A call that failed. The message is fit to show a person, in their language. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** 0 when there was no answer. */
  readonly status: number
  readonly errors: NonNullable<Problem['errors']>
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ApiErrorCode, message: string, facts: Facts = {}) {
    super(message)
    this.code = code
    this.status = facts.status ?? 0
    this.errors = facts.errors ?? []
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}

/** What is wrong with which field, by the field's name. */
export const fieldErrors = (error: unknown): Record<string, string> =>
  error instanceof ApiError ? Object.fromEntries(error.errors.map(({ field, message }) => [field, message])) : {}

export const unreachable = () => new ApiError('network', t('Neptune cannot be reached. Check your connection and try again.'))

/** Something answered that is not Neptune, such as a proxy's own error page. */
export const unreadable = (status: number) =>
  new ApiError('reply', t('Neptune sent an invalid response. Try again in a moment.'), { status })

/** Reads a refusal (RFC 9457 problem+json). */
export async function readProblem(response: Response): Promise<ApiError> {
  const problem = Problem.safeParse(await response.json().catch(() => undefined))
  if (!problem.success) return unreadable(response.status)
  const { code, detail } = problem.data
  // Not for this one: it comes with the first screen of whoever is not signed in, and that has words for it.
  if (code !== 'session.missing') await loadAllWords().catch(() => undefined)
  const errors = problem.data.errors?.map(({ field, message }) => ({ field, message: said(message) }))
  const { status } = response
  // Shown where the fault is ours, and somebody may want to report it. A wrong password is nothing to report.
  const requestId = status >= 500 ? problem.data.requestId : undefined
  return new ApiError(code, said(detail), { status, errors, requestId, retryAfterSeconds: retryAfter(response) })
}

/** Seconds only: the date form of the header is never sent by Neptune. */
function retryAfter(response: Response): number | undefined {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return seconds > 0 ? seconds : undefined
}
