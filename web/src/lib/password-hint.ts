import { passwordMin } from '@neptune/contract'

/** What to say under a new password while it is typed. Only length counts, so only length is spoken of. */
export function passwordHint({ length }: string): string {
  if (length === 0) return `${passwordMin} characters at least.`
  if (length < passwordMin) return `${passwordMin} characters at least: ${passwordMin - length} more.`
  return length < 16 ? 'Long enough. Longer is stronger.' : 'Long enough, and strong.'
}
