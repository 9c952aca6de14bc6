import { entry } from './entry.ts'
import { states } from './states.ts'

/** The translations of the first screens. Loading all of them would slow these down. */
export const first = { ...states, ...entry }
