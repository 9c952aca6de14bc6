import { AppError } from '../app-error.ts'
import { commonPasswords } from './common-passwords.ts'

/** Words that most guessed passwords consist of. A password made of one of them is weak, however often it repeats the word. */
const commonWords = [
  'administrator',
  'password',
  'passwort',
  'passwd',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'superman',
  'starwars',
  'iloveyou',
  'changeme',
  'trustno',
  'letmein',
  'welcome',
  'monkey',
  'dragon',
  'master',
  'shadow',
  'michael',
  'jordan',
  'charlie',
  'whatever',
  'computer',
  'internet',
  'samsung',
  'google',
  'facebook',
  'liverpool',
  'arsenal',
  'chelsea',
  'batman',
  'hello',
  'login',
  'secret',
  'admin',
  'access',
  'guest',
  'default',
  'summer',
  'winter',
  'spring',
  'autumn',
  'test',
  'user',
  'root',
  'love',
  'pass',
  'neptune',
]

/** Keyboard sequences, the alphabet and the digits. */
const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  '01234567890',
  '1q2w3e4r5t6y7u8i9o0p',
]

/**
 * Returns whether an attacker would try this password early: a common password, one that consists of one common word or the
 * person's own names, apart from digits and punctuation, or one with fewer than five characters besides keyboard sequences and
 * repetitions. Several different common words are allowed: which ones, and in which order, is hard to guess. `context` is the
 * person's name, email and company.
 */
export function isWeakPassword(password: string, context: readonly string[] = []): boolean {
  const plain = password
    .toLowerCase()
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll(/(?<=\p{L})0(?=\p{L})/gu, 'o')
  const letters = plain.replaceAll(/[^\p{L}]/gu, '')
  const ownNames = context.flatMap((text) => text.toLowerCase().split(/[^\p{L}]+/u)).filter((word) => word.length >= 3)
  // Also as typed: in the person's own email, an @ does not stand for an a.
  const isMadeOfOwnNames = [letters, password.toLowerCase().replaceAll(/[^\p{L}]/gu, '')].some(
    (text) =>
      text !== '' &&
      ownNames.toSorted((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), text) === '',
  )
  return (
    commonPasswords.has(password.toLowerCase()) || isMadeOfOwnNames || isOneWord(letters) || removeSequences(plain).length < 5
  )
}

/** Returns whether the letters are one common word, once or repeated. */
const isOneWord = (letters: string) => letters !== '' && commonWords.some((word) => letters.replaceAll(word, '') === '')

/** Throws `request.invalid` for the field if the password is weak. */
export function rejectWeakPassword(field: string, password: string, context: readonly string[]) {
  if (!isWeakPassword(password, context)) return
  throw new AppError('request.invalid', {
    fields: [{ field, message: 'This is easy to guess. Use several unrelated words.' }],
  })
}

/** Removes repetitions (`aaaa`) and parts of a sequence of four or more characters, forwards and backwards. */
function removeSequences(text: string): string {
  const directions = sequences.flatMap((sequence) => [sequence, [...sequence].reverse().join('')])
  let left = text.replaceAll(/(.)\1{2,}/gu, '')
  for (let size = 12; size >= 4; size--) {
    for (const sequence of directions) {
      for (let at = 0; at + size <= sequence.length; at++) left = left.replaceAll(sequence.slice(at, at + size), '')
    }
  }
  return left
}
