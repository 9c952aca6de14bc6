import type { ErrorCode } from '@neptune/contract'
import type { DialogFrameProps } from '../components/layout/dialog-frame.tsx'
import { t } from '../i18n/t.ts'
import { ApiError, getFieldErrors } from './api-error.ts'

/** Error messages by field name. */
export type FieldErrors = Record<string, string>

/** Maps an error code that concerns a single field to that field, optionally with a message that replaces the server's. */
export type FieldByCode = Partial<Record<ErrorCode, string | { field: string; message: string }>>

/** The summary of errors, shown above the fields. */
type Summary = DialogFrameProps['error']

/** Summarizes why a request failed, if it did. */
export function describeFailure(failure: Error | undefined, title: string): Summary {
  if (!failure) return undefined
  if (!(failure instanceof ApiError)) return title
  const fields = getFieldErrors(failure)
  if (Object.keys(fields).length > 0) return summarize(title, fields)
  const requestNote = failure.requestId === undefined ? [] : [{ message: t('Request {id}', { id: failure.requestId }) }]
  return { title: failure.message, errors: requestNote }
}

/** Returns the messages of a failed request that concern single fields. */
export function findFieldErrors(failure: unknown, fieldByCode: FieldByCode): FieldErrors {
  const target = failure instanceof ApiError ? fieldByCode[failure.code as ErrorCode] : undefined
  if (target === undefined || !(failure instanceof ApiError)) return getFieldErrors(failure)
  return typeof target === 'string' ? { [target]: failure.message } : { [target.field]: target.message }
}

/** Creates a summary that lists the errors of all fields. */
export const summarize = (title: string, fields: FieldErrors): Summary => ({
  title,
  errors: Object.entries(fields).map(([field, message]) => ({ field, message })),
})
