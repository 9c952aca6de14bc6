import { AppError } from '../../lib/app-error.ts'

/** Rejects names that the audit log uses for other companies' admins and for tokens: a user with such a name could pass for one. */
export function rejectMisleadingName(name: string): void {
  const message = 'This name is reserved. Choose a different one.'
  // Compared by appearance: without case, width of letters and invisible characters.
  const visible = name
    .normalize('NFKC')
    .replaceAll(/[\s\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
  if (visible === 'anadministrator' || /\(token.*\)$/.test(visible))
    throw new AppError('request.invalid', { fields: [{ field: 'name', message }] })
}
