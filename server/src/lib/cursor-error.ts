import { AppError } from './app-error.ts'

const message = 'This cursor is invalid or belongs to another list or sort order. Request the first page again.'

/** Creates the error for a cursor that a list can't continue from. */
export const createCursorError = () => new AppError('request.invalid', { fields: [{ field: 'cursor', message }] })
