import { entry } from './entry.ts'
import { states } from './states.ts'

/** Enough for the first screen of whoever comes: all the words would be too much to wait for there. */
export const first = { ...states, ...entry }
