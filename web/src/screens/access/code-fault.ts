import { codeLength, isPossibleCode, normalizeCode } from '@neptune/contract'
import { formatNumber, t } from '../../i18n/t.ts'

/** Finds errors in a typed code without calling the server, so that a typo doesn’t count as an attempt. */
export function findCodeFault(typed: string, accessKey: string): string | undefined {
  if (typed.trim() === accessKey) return t('This is the link’s key, not its access code. Enter the code, or ask for a new one.')
  const { length } = normalizeCode(typed)
  if (length === 0) return t('Enter the access code.')
  if (length !== codeLength)
    return t('A code has {right} letters and digits. This one has {length}.', {
      right: formatNumber(codeLength),
      length: formatNumber(length),
    })
  return isPossibleCode(typed) ? undefined : t('That code has a typo. Compare it with the one you received.')
}
