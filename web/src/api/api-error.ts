import { type ErrorCode, Problem } from '@neptune/contract'
import { loadAllTranslations, t, translateMessage } from '../i18n/t.ts'

/** The error codes of the contract, plus two the server cannot report: a network error and an invalid reply. */
type ApiErrorCode = ErrorCode | 'network' | 'reply'

interface ErrorDetails {
  status?: number
  errors?: Problem['errors']
  space?: Problem['space']
  secondFactor?: Problem['second_factor']
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
}

/** A failed call. The message is translated and can be shown to the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** 0 if there was no response. */
  readonly status: number
  readonly errors: NonNullable<Problem['errors']>
  readonly space: Problem['space']
  /** The challenge and methods that complete a sign-in whose password was correct. */
  readonly secondFactor: Problem['second_factor']
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ApiErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.status = details.status ?? 0
    this.errors = details.errors ?? []
    this.space = details.space
    this.secondFactor = details.secondFactor
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Returns the error messages by field name. */
export const getFieldErrors = (error: unknown): Record<string, string> =>
  error instanceof ApiError ? Object.fromEntries(error.errors.map(({ field, message }) => [field, message])) : {}

export const createNetworkError = () =>
  new ApiError('network', t('Neptune cannot be reached. Check your connection and try again.'))

/** Creates the error for a response that is not from Neptune, such as a proxy's error page. */
export const createReplyError = (status: number) =>
  new ApiError('reply', t('Neptune sent an invalid response. Try again in a moment.'), { status })

/** Creates the error for a sensitive call whose confirmation was canceled. */
export const createUnconfirmedError = ({ code, status }: ApiError) =>
  new ApiError(code, t('Nothing was changed, because you didn’t confirm that it’s you.'), { status })

/** Reads an error response (RFC 9457 problem details). */
export async function readProblem(response: Response): Promise<ApiError> {
  const problem = Problem.safeParse(await response.json().catch(() => undefined))
  if (!problem.success) return createReplyError(response.status)
  const { code, detail } = problem.data
  // `session.missing` is shown on the sign-in page, whose translations are already loaded.
  if (code !== 'session.missing') await loadAllTranslations().catch(() => undefined)
  const errors = problem.data.errors?.map(({ field, message }) => ({ field, message: translateMessage(message) }))
  const { status } = response
  const { space, second_factor: secondFactor } = problem.data
  // Shown for server errors only: nobody needs to report a wrong password.
  const requestId = status >= 500 ? problem.data.requestId : undefined
  return new ApiError(code, translateMessage(detail), {
    status,
    errors,
    space,
    secondFactor,
    requestId,
    retryAfterSeconds: readRetryAfter(response),
  })
}

/** Reads the Retry-After header in seconds. Neptune never sends its date form. */
function readRetryAfter(response: Response): number | undefined {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return seconds > 0 ? seconds : undefined
}
