import * as z from 'zod/mini'
import { text } from './common.ts'

/** Shortest password anybody may choose. Length is what counts; no rule asks for signs or digits. */
export const passwordMin = 12

/** Longest password accepted anywhere, so that nobody can make the server hash a novel. */
export const passwordMax = 1024

/** A password somebody chooses; one that is only checked may be any text. */
export const NewPassword = text(passwordMax).check(z.minLength(passwordMin, `This must have at least ${passwordMin} characters.`))
