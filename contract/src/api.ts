import { company } from './company.ts'
import { identity } from './identity.ts'
import { mail } from './mail.ts'
import { user } from './user.ts'

/** The whole HTTP API of Neptune, as data. */
export const api = { identity, company, user, mail }

export { Email, emailMax, Role } from './common.ts'
export { Company } from './company.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export { Session } from './identity.ts'
export { MailRow, MailState } from './mail.ts'
export { passwordMax, passwordMin } from './password.ts'
export { Problem } from './problem.ts'
export { screens } from './screens.ts'
export { User, UserRow } from './user.ts'
