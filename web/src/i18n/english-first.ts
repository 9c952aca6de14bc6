import type { Translation } from './t.ts'

/** The part of english.ts that the sign-in and access pages need. Loading all of it would slow these pages down. */
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
