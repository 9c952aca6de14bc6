import { passwordMin } from '@neptune/contract'
import { formatNumber, t } from '../i18n/t.ts'

const getTooShortMessage = () => t('At least {n} characters.', { n: passwordMin })

/** Returns an error message if a new password is too short. Only the server can check more. */
export const checkPassword = (password: string) => (password.length < passwordMin ? getTooShortMessage() : undefined)

/** Returns the hint and error for a new password. While it is too short, one of them says how many characters are missing. */
export function getPasswordHelp(typed: string, error?: string) {
  const hint = getHint(typed)
  if (error !== getTooShortMessage()) return { hint, error }
  return checkPassword(typed) ? { hint: undefined, error: hint } : { hint, error: undefined }
}

/** Returns the hint. It does not promise success, because the server rejects passwords of any length that are easy to guess. */
function getHint({ length }: string): string {
  if (length === 0) return getTooShortMessage()
  if (length < passwordMin)
    return t('At least {n} characters: {left} more.', { n: passwordMin, left: formatNumber(passwordMin - length) })
  return t('That’s long enough, but it must not be easy to guess. Several unrelated words work best.')
}
