import { identity } from './identity.ts'

/** The whole HTTP API of Neptune, as data. */
export const api = { identity }

export { emailMax, Role } from './common.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export { passwordMax, Session } from './identity.ts'
export { Problem } from './problem.ts'
export { screens } from './screens.ts'
export { User } from './user.ts'
