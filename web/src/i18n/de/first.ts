import { entry } from './entry.ts'
import { states } from './states.ts'

/** The translations that the sign-in and access pages need. Loading all translations would slow these pages down. */
export const first = { ...states, ...entry }
