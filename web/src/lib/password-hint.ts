import { passwordMin } from '@neptune/contract'
import { formatNumber, t } from '../words/t.ts'

const tooShort = () => t('At least {n} characters.', { n: passwordMin })

/** What is wrong with a new password before anybody is asked. More than its length only the server can judge. */
export const passwordFault = (password: string) => (password.length < passwordMin ? tooShort() : undefined)

/** What stands under a new password: what is wrong with it, or what to know while it is typed. One too short counts down either way. */
export function passwordHelp(typed: string, error?: string) {
  const hint = passwordHint(typed)
  if (error !== tooShort()) return { hint, error }
  return passwordFault(typed) ? { hint: undefined, error: hint } : { hint, error: undefined }
}

/** Promises nothing: a password that is easy to guess is refused at any length. */
function passwordHint({ length }: string): string {
  if (length === 0) return tooShort()
  if (length < passwordMin)
    return t('At least {n} characters: {left} more.', { n: passwordMin, left: formatNumber(passwordMin - length) })
  return t('Long enough, as long as it isn’t easy to guess. Several unrelated words work best.')
}
