import { AppError } from './app-error.ts'
import { commonPasswords } from './common-passwords.ts'

/** What most guessed passwords are put together from. Length alone does not help where every part is one of these. */
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

/** Rows of the keyboard and of the alphabet, along which a finger or a mind just runs. */
const runs = [
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
 * True for a password that a guesser tries early: a common one, one common word, or the person's own names and nothing else, or a run, with
 * whatever digits and signs around them. Several common words together are not refused: how they are put together is a secret.
 */
export function isWeakPassword(password: string, context: readonly string[] = []): boolean {
  const plain = password
    .toLowerCase()
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll(/(?<=\p{L})0(?=\p{L})/gu, 'o')
  const letters = plain.replaceAll(/[^\p{L}]/gu, '')
  const own = context.flatMap((text) => text.toLowerCase().split(/[^\p{L}]+/u)).filter((word) => word.length >= 3)
  // Also as it is written: in one's own address, an @ is no a.
  const isOwn = [letters, password.toLowerCase().replaceAll(/[^\p{L}]/gu, '')].some(
    (text) =>
      text !== '' && own.toSorted((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), text) === '',
  )
  return commonPasswords.has(password.toLowerCase()) || isOwn || isOneWord(letters) || withoutRuns(plain).length < 5
}

/** Once or several times over. */
const isOneWord = (letters: string) => letters !== '' && commonWords.some((word) => letters.replaceAll(word, '') === '')

/** Refused by name of the field, in words for whoever chose it. */
export function rejectWeakPassword(field: string, password: string, context: readonly string[]) {
  if (!isWeakPassword(password, context)) return
  throw new AppError('request.invalid', {
    fields: [{ field, message: 'This is easy to guess. Use several words that do not belong together.' }],
  })
}

/** Takes out repetitions (`aaaa`) and pieces of four or more along a run, forwards and backwards. */
function withoutRuns(text: string): string {
  const pieces = runs.flatMap((run) => [run, [...run].reverse().join('')])
  let left = text.replaceAll(/(.)\1{2,}/gu, '')
  for (let size = 12; size >= 4; size--) {
    for (const piece of pieces) {
      for (let at = 0; at + size <= piece.length; at++) left = left.replaceAll(piece.slice(at, at + size), '')
    }
  }
  return left
}
