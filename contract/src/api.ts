import { company } from './company.ts'
import { directory } from './directory.ts'
import { file } from './file.ts'
import { identity } from './identity.ts'
import { mail } from './mail.ts'
import { stats } from './stats.ts'
import { upload } from './upload.ts'
import { user } from './user.ts'

/** The whole HTTP API of Neptune, as data. */
export const api = { identity, company, user, mail, directory, file, upload, stats }

export { Email, emailMax, Role } from './common.ts'
export { Company } from './company.ts'
export { DirectoryRow } from './directory.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export { FileKind, FileRow } from './file.ts'
export { Session } from './identity.ts'
export { MailRow, MailState } from './mail.ts'
export { passwordMax, passwordMin } from './password.ts'
export { Problem } from './problem.ts'
export { screens } from './screens.ts'
export { User, UserRow } from './user.ts'
