import { AppError } from '../../lib/app-error.ts'

/** Rejects names like those that the audit log uses for admins of other companies and for tokens, so that no user can pass for one. */
export function rejectMisleadingName(name: string): void {
  const message = 'This name is reserved. Choose a different one.'
  // Compares names by appearance: ignores case, the width of letters, spaces and invisible characters.
  const visible = name
    .normalize('NFKC')
    .replaceAll(/[\s\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
  if (visible === 'anadministrator' || /\(token.*\)$/.test(visible))
    throw new AppError('request.invalid', { fields: [{ field: 'name', message }] })
}
