import { passwordMin } from '@neptune/contract'
import { formatNumber, t } from '../i18n/t.ts'

const tooShort = () => t('At least {n} characters.', { n: passwordMin })

/** Checks the length of a new password. Only the server can check more. */
export const checkPassword = (password: string) => (password.length < passwordMin ? tooShort() : undefined)

/** Returns the hint or error for a new password. If it is too short, the missing characters count down in either. */
export function getPasswordHelp(typed: string, error?: string) {
  const hint = getHint(typed)
  if (error !== tooShort()) return { hint, error }
  return checkPassword(typed) ? { hint: undefined, error: hint } : { hint, error: undefined }
}

/** Does not promise success: the server rejects passwords that are easy to guess at any length. */
function getHint({ length }: string): string {
  if (length === 0) return tooShort()
  if (length < passwordMin)
    return t('At least {n} characters: {left} more.', { n: passwordMin, left: formatNumber(passwordMin - length) })
  return t('Long enough, as long as it isn’t easy to guess. Several unrelated words work best.')
}
