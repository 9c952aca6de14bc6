import type { Words } from './t.ts'

/** English is what stands in the code. Here is what differs for one, and what says which sense of a word is meant. */
export const english = {
  '{n} files': { one: '{n} file', other: '{n} files' },
  '{n} results': { one: '{n} result', other: '{n} results' },
  'Dismiss (a question)': 'Dismiss',
  'Expired (a heading)': 'Expired',
  'To (a day)': 'To',
  'Restore (a user)': 'Restore',
  'Too many tries. Try again in {n} seconds.': {
    one: 'Too many tries. Try again in {n} second.',
    other: 'Too many tries. Try again in {n} seconds.',
  },
  'Too many tries. Try again in {n} minutes.': {
    one: 'Too many tries. Try again in {n} minute.',
    other: 'Too many tries. Try again in {n} minutes.',
  },
  'The receipt has the same content under {n} other names, too: {names}.': {
    one: 'The receipt has the same content under {n} other name, too: {names}.',
    other: 'The receipt has the same content under {n} other names, too: {names}.',
  },
  '{n} tries': { one: '{n} try', other: '{n} tries' },
  '{n} failed tries since {date}': { one: '{n} failed try since {date}', other: '{n} failed tries since {date}' },
  '{n} need files': { one: '{n} needs its file', other: '{n} need files' },
  '{n} open questions': { one: '{n} open question', other: '{n} open questions' },
} satisfies Record<string, Words>
