import type { ErrorCode } from '@neptune/contract'
import { ApiError, fieldErrors } from '../api/api-error.ts'
import type { DialogFrameProps } from '../components/dialog-frame.tsx'
import { t } from '../words/t.ts'

/** What is wrong, by the name of its field. */
export type Faults = Record<string, string>

interface FormProblem {
  /** What stands under each field, by its name. */
  fields: Faults
  /** What stands above them all. */
  error: DialogFrameProps['error']
}

/** What was mended is no longer wrong. */
export const without = (faults: Faults, fields: readonly string[]): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([field]) => !fields.includes(field)))

/** What was left empty, when nothing was sent because of it. */
export const emptyProblem = (title: string, fields: Faults): FormProblem => ({ fields, error: summary(title, fields) })

/** Why the server refused. Some codes are about one field: `fieldOf` names it. */
export function problemOf(failure: unknown, title: string, fieldOf: Partial<Record<ErrorCode, string>> = {}): FormProblem {
  if (!(failure instanceof ApiError)) return { fields: {}, error: title }
  const field = failure.code in fieldOf ? fieldOf[failure.code as ErrorCode] : undefined
  const fields = field === undefined ? fieldErrors(failure) : { [field]: failure.message }
  if (Object.keys(fields).length > 0) return { fields, error: summary(title, fields) }
  const request = failure.requestId === undefined ? [] : [{ message: t('Request {id}', { id: failure.requestId }) }]
  return { fields, error: { title: failure.message, errors: request } }
}

const summary = (title: string, fields: Faults) => ({
  title,
  errors: Object.entries(fields).map(([field, message]) => ({ field, message })),
})
