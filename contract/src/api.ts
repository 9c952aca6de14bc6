import { activity } from './activity.ts'
import { company } from './company.ts'
import { directory } from './directory.ts'
import { file } from './file.ts'
import { identity } from './identity.ts'
import { link } from './link.ts'
import { mail } from './mail.ts'
import { receipt } from './receipt.ts'
import { stats } from './stats.ts'
import { token } from './token.ts'
import { upload } from './upload.ts'
import { user } from './user.ts'
import { webhook } from './webhook.ts'

/** Declares the whole HTTP API of Neptune. */
export const api = { identity, company, user, mail, directory, file, upload, link, receipt, token, webhook, stats, activity }

export * from './access-code.ts'
export { ActivityAction, ActivityFilters, ActivityRow, actions } from './activity.ts'
export { CompanyAccess, Email, emailMax, Role, TokenScope } from './common.ts'
export { ChangedCompany, Company, CompanyDetails, CompanyRow, maxCountPerCompany, noteMax } from './company.ts'
export { type FileType, fileTypes, previewTypes } from './content-types.ts'
export { DirectoryRow } from './directory.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export { FileKind, FileRow, PreviewKind } from './file.ts'
export { PasswordLink, Session, SessionRow } from './identity.ts'
export { extendableDays } from './link.ts'
export {
  Access,
  AffectedLinks,
  LinkAsk,
  LinkEvent,
  LinkRow,
  LinkState,
  LinkStopReason,
  LinkType,
  maxAffectedLinks,
} from './link-rows.ts'
export { MailRow, MailState } from './mail.ts'
export { passwordMax, passwordMin } from './password.ts'
export { Problem } from './problem.ts'
export { canonicalJson, PublicKeys, Receipt, SignedReceipt } from './receipt.ts'
export { screens } from './screens.ts'
export type { Dashboard, FirstStep, TransferDay } from './stats.ts'
export { TokenRow } from './token.ts'
export { UploadRow } from './upload.ts'
export { InvitationLink, maxRemovalCount, Removal, Successor, User, UserDetails, UserRow } from './user.ts'
export { Delivery, DeliveryState, WebhookEvent, WebhookRow } from './webhook.ts'
