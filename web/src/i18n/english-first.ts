import type { Translation } from './t.ts'

/** The part of english.ts that the first screens need. The rest loads with the other screens, so that the first ones load fast. */
export const englishFirst = {
  'Too many attempts. Try again in {n} seconds.': {
    one: 'Too many attempts. Try again in {n} second.',
    other: 'Too many attempts. Try again in {n} seconds.',
  },
  'Too many attempts. Try again in {n} minutes.': {
    one: 'Too many attempts. Try again in {n} minute.',
    other: 'Too many attempts. Try again in {n} minutes.',
  },
} satisfies Record<string, Translation>
