import * as z from 'zod/mini'
import { text } from './common.ts'

/** The minimum length of a new password. No rule requires digits or special characters, because length matters most. */
export const passwordMin = 12

/** The maximum length of a password. It bounds the work of hashing. */
export const passwordMax = 1024

/** A newly chosen password. The minimum length does not apply to passwords that are only checked. */
export const NewPassword = text(passwordMax).check(z.minLength(passwordMin, `This must have at least ${passwordMin} characters.`))
