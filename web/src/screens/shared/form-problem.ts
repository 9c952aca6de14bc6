import type { ErrorCode } from '@neptune/contract'
import { ApiError, getFieldErrors } from '../../api/api-error.ts'
import type { DialogFrameProps } from '../../components/layout/dialog-frame.tsx'
import { t } from '../../i18n/t.ts'

/** Error messages by field name. */
export type FieldErrors = Record<string, string>

interface FormProblem {
  /** The messages shown under the fields. */
  fields: FieldErrors
  /** The summary shown above the form. */
  error: DialogFrameProps['error']
}

/** Removes the errors of fields that the user has changed. */
export const clearErrors = (errors: FieldErrors, fields: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field)))

/** Describes errors found before sending, such as required fields that are empty. */
export const describeFieldErrors = (title: string, fields: FieldErrors): FormProblem => ({
  fields,
  error: summarize(title, fields),
})

/** Describes why a request failed. `fieldByCode` maps error codes that concern a single field to that field. */
export function describeFailure(
  failure: unknown,
  title: string,
  fieldByCode: Partial<Record<ErrorCode, string>> = {},
): FormProblem {
  if (!(failure instanceof ApiError)) return { fields: {}, error: title }
  const field = failure.code in fieldByCode ? fieldByCode[failure.code as ErrorCode] : undefined
  const fields = field === undefined ? getFieldErrors(failure) : { [field]: failure.message }
  if (Object.keys(fields).length > 0) return { fields, error: summarize(title, fields) }
  const request = failure.requestId === undefined ? [] : [{ message: t('Request {id}', { id: failure.requestId }) }]
  return { fields, error: { title: failure.message, errors: request } }
}

const summarize = (title: string, fields: FieldErrors) => ({
  title,
  errors: Object.entries(fields).map(([field, message]) => ({ field, message })),
})
