import { codeLength, isPossibleCode, normalCode } from '@neptune/contract'

/** What is wrong with a code before anybody is asked: a slip of the finger costs no try. */
export function codeFault(typed: string): string | undefined {
  const { length } = normalCode(typed)
  if (length === 0) return 'Enter the access code.'
  if (length !== codeLength) return `A code has ${codeLength} letters and digits, this one has ${length.toLocaleString('en')}.`
  return isPossibleCode(typed)
    ? undefined
    : 'That code was mistyped: a letter or a digit is wrong. Compare it with the one you got.'
}
