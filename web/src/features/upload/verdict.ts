import { ApiError } from '../../api/api-error.ts'
import { t } from '../../words/t.ts'

/** The file is not at hand: the person must choose it, or allow it, again. */
export class FileMissing extends Error {}

/** The file is no longer what was chosen. */
export class FileChanged extends Error {}

/** What follows from a failure: it goes on by itself, it needs its file, or it is over. */
export type Verdict =
  | { kind: 'waiting'; for: 'network' | 'server' | 'session'; atLeast?: number | undefined }
  | { kind: 'fileless' }
  | Failure

interface Failure {
  kind: 'failed'
  message: string
  canRetry: boolean
  /** The server has no such upload, so the next try begins at the beginning. */
  isGone: boolean
}

/** Passes by itself: too slow, not where we thought, busy, too many, or restarting. */
const passing = [408, 409, 423, 425, 429, 502, 503, 504]

/** A fault of the server may be a passing one, too. */
const faultTries = 5

export function verdictOn(error: unknown, tries: number): Verdict {
  if (error instanceof FileMissing) return { kind: 'fileless' }
  if (error instanceof FileChanged) return failed(t('The file was changed or removed in the meantime. Upload it again.'), false)
  if (!(error instanceof ApiError)) return failed(t('Something went wrong on this page. Try again.'))
  const { status, retryAfterSeconds: atLeast } = error
  if (status === 0) return { kind: 'waiting', for: 'network' }
  if (status === 401) return { kind: 'waiting', for: 'session' }
  if (passing.includes(status)) return { kind: 'waiting', for: 'server', atLeast }
  if ((status === 500 || status === 460) && tries < faultTries) return { kind: 'waiting', for: 'server', atLeast }
  return refusal(error)
}

/** Final, in words that say what to do; a second try is offered where it can help. */
function refusal({ status, code, message, errors, requestId }: ApiError): Failure {
  if (code === 'directory.not_found') return failed(t('The directory was deleted. Restore it from the trash, then retry.'))
  if (code === 'file.name_invalid')
    return failed(t('{reason} Rename it and upload it again.', { reason: errors[0]?.message ?? message }), false)
  if (status === 413) return failed(t('This file is larger than the server accepts. Split it, or ask an administrator.'), false)
  if (code === 'link.full') return failed(message, false)
  if (code === 'company.full') return failed(message)
  if (status === 507) return failed(t('The server is out of storage. Tell an administrator, then retry.'))
  if (status === 404) {
    // It may have ended well long ago: to send it again unasked could make a second copy.
    return { ...failed(t('The upload was canceled or has expired. Check whether the file is there, then retry.')), isGone: true }
  }
  if (status >= 500)
    return failed(
      requestId === undefined ? message : t('The server had an error. Retry, or report request {id}.', { id: requestId }),
    )
  return failed(message, false)
}

const failed = (message: string, canRetry = true): Failure => ({ kind: 'failed', message, canRetry, isGone: false })
