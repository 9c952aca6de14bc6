import { t } from '../../i18n/t.ts'

/** Props of a field for a code from an authenticator app. Phones show a numeric keypad and suggest codes they know. */
export const codeField = {
  required: true,
  autoComplete: 'one-time-code',
  inputMode: 'numeric',
  maxLength: 12,
  spellCheck: false,
} as const

/** Returns whether a code is complete. Apps show it with a space, which may be typed or pasted. */
export const hasSixDigits = (code: string) => /^\d{6}$/.test(code.replaceAll(/[\s-]/g, ''))

export const getRecoveryCodeMessage = () => t('This recovery code is wrong or was already used.')
