import { AppError } from '../../lib/app-error.ts'

/** Names by which the trail speaks of others: admins from elsewhere, and scripts. Whoever chose one could pass for them there. */
export function rejectMisleadingName(name: string): void {
  const message = 'Activity calls others by this name. Choose another one.'
  // As it looks: whatever the case, the width of the letters, and what cannot be seen.
  const seen = name
    .normalize('NFKC')
    .replaceAll(/[\s\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
  if (seen === 'anadministrator' || /\(token.*\)$/.test(seen))
    throw new AppError('request.invalid', { fields: [{ field: 'name', message }] })
}
