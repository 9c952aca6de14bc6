import { ApiError } from '../../api/api-error.ts'
import { t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import type { Obstacle } from './state/upload-job.ts'

/** The page has no access to the file: the user must choose it again or allow access. */
export class FileMissingError extends Error {}

/** The file has changed since it was chosen. */
export class FileChangedError extends Error {}

/** What an error means for the upload: it retries by itself, needs its file, or has failed. */
export type Verdict = { kind: 'waiting'; for: Obstacle; retryAfterSeconds?: number | undefined } | { kind: 'fileless' } | Failure

export interface Failure {
  kind: 'failed'
  message: string
  canRetry: boolean
  /** The server no longer has the upload, so the next attempt starts from the beginning. */
  isGone: boolean
}

/** Temporary: timeout, locked, too early, rate limited, or restarting. */
const transientStatuses = [408, 423, 425, 429, 502, 503, 504]

/** A server error (500) or checksum mismatch (460) may be temporary, too, so it is retried until this many attempts have failed. */
const maxErrorAttempts = 5

/** Decides what to do after an error. `contact` is the person that a recipient can ask for help. */
export function classifyError(error: unknown, attempts: number, contact?: string): Verdict {
  if (error instanceof FileMissingError) return { kind: 'fileless' }
  if (error instanceof FileChangedError)
    return createFailure(t('The file was changed or removed in the meantime. Upload it again.'), false)
  if (!(error instanceof ApiError)) return createFailure(t('Something went wrong on this page. Try again.'))
  const { status, code, retryAfterSeconds } = error
  if (status === 0) return { kind: 'waiting', for: 'network' }
  if (status === 401) return { kind: 'waiting', for: 'session' }
  if (transientStatuses.includes(status) || code === 'upload.wrong_offset')
    return { kind: 'waiting', for: 'server', retryAfterSeconds }
  if ((status === 500 || status === 460) && attempts < maxErrorAttempts)
    return { kind: 'waiting', for: 'server', retryAfterSeconds }
  return toFailure(error, contact)
}

/** Describes a permanent failure and what to do. Offers a retry where that can help. */
function toFailure({ status, code, message, errors, space, requestId }: ApiError, contact: string | undefined): Failure {
  if (code === 'directory.not_found')
    return createFailure(
      contact === undefined
        ? t(
            'This directory was deleted or moved, or you no longer have access to it. If it’s in the trash, restore it and retry.',
          )
        : t('This directory was deleted or moved. Ask {name} to bring it back, then retry.', { name: contact }),
    )
  // An invalid folder name is rejected as an invalid request.
  if (code === 'file.name_invalid' || (code === 'request.invalid' && errors.length > 0))
    return createFailure(t('{reason} Rename it and upload it again.', { reason: errors[0]?.message ?? message }), false)
  if (code.startsWith('folder.') || code === 'company.archived') return createFailure(message)
  if (status === 413)
    return createFailure(
      contact === undefined
        ? t('This file is larger than the server accepts. Split it, or ask an administrator.')
        : t('This file is too large. Split it, or ask {name} how else to send it.', { name: contact }),
      false,
    )
  if (code === 'link.full')
    return createFailure(
      contact === undefined
        ? message
        : t('This link has no room left for this file. Ask {name} for a new link.', { name: contact }),
      false,
    )
  if (space) {
    const amounts = { left: formatSize(space.left), needed: formatSize(space.needed) }
    return createFailure(
      t(
        'This company has {left} left, but the file needs {needed}. Files in the trash count until they’re permanently deleted. Ask an administrator for more space.',
        amounts,
      ),
    )
  }
  if (status === 507) return createFailure(message)
  if (status === 404) {
    // The upload may have completed: sending the file again without asking could create a second copy.
    return {
      ...createFailure(t('The upload was cancelled or has expired. Check whether the file is there, then retry.')),
      isGone: true,
    }
  }
  if (status >= 500)
    return createFailure(
      requestId === undefined ? message : t('The server had an error. Retry, or report request {id}.', { id: requestId }),
    )
  return createFailure(message, false)
}

const createFailure = (message: string, canRetry = true): Failure => ({ kind: 'failed', message, canRetry, isGone: false })
