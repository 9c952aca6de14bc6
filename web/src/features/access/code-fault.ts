import { codeLength, isPossibleCode, normalizeCode } from '@neptune/contract'
import { formatNumber, t } from '../../words/t.ts'

/** What is wrong with a code before anybody is asked: a slip of the finger costs no try. */
export function codeFault(typed: string): string | undefined {
  const { length } = normalizeCode(typed)
  if (length === 0) return t('Enter the access code.')
  if (length !== codeLength)
    return t('A code has {right} letters and digits. This one has {length}.', {
      right: formatNumber(codeLength),
      length: formatNumber(length),
    })
  return isPossibleCode(typed) ? undefined : t('That code has a typo. Compare it with the one you received.')
}
