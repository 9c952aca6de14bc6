/**
 * Declares the whole HTTP API of Neptune. A namespace, because bundlers leave out its unused parts: see
 * docs/decisions/0002-contract-as-data.md.
 */

export {
  type AccentShades,
  accentTokens,
  deriveAccent,
  findPermittedAccent,
  getContrast,
  isPermittedAccent,
} from './accent.ts'
export * from './access-code.ts'
export { ActivityAction, ActivityFilters, ActivityRow, actions } from './activity.ts'
export { Brand, CompanyBrand, Logo, Logos, logoMaxBytes } from './brand-rows.ts'
export {
  CompanyAccess,
  Email,
  emailMax,
  Language,
  languages,
  maxFolderDepth,
  maxFolders,
  maxPathLength,
  Name,
  PathItem,
  Role,
  TokenScope,
} from './common.ts'
export { ChangedCompany, Company, CompanyDetails, CompanyRow, maxCountPerCompany, noteMax } from './company.ts'
export { type FileType, fileTypes, previewTypes } from './content-types.ts'
export { maxCopied } from './copy.ts'
export { DirectoryRow, maxZipItems } from './directory.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export { Factors } from './factor.ts'
export { FileKind, FileRow, PreviewKind } from './file.ts'
export type { FileExportLine } from './file-export.ts'
export { PasswordLink } from './identity.ts'
export { linkMessageMax, maxLinkFiles } from './link.ts'
export { extendableDays, extendExpiry, extensionDays, maxLifetimeDays } from './link-expiry.ts'
export {
  Access,
  AffectedLinks,
  LinkAsk,
  LinkEvent,
  LinkFilterState,
  LinkRow,
  LinkState,
  LinkStopReason,
  LinkType,
  maxAffectedLinks,
} from './link-rows.ts'
export { ChangeTopic } from './live.ts'
export { MailRow, MailState } from './mail.ts'
export { maxPasskeys, PasskeyRow } from './passkey.ts'
export { passwordMax, passwordMin } from './password.ts'
export { Problem } from './problem.ts'
export { Issuer, NewPerson, ProviderRules, providerFields } from './provider-fields.ts'
export { ProviderAccount, ProviderFault, ProviderRow, ProviderTest } from './provider-rows.ts'
export { canonicalJson, PublicKeys, Receipt, SignedReceipt } from './receipt.ts'
export * as api from './resources.ts'
export { screens } from './screens.ts'
export { SecondFactor, Session, SessionRow, SignInMethod } from './session.ts'
export { hiddenPassword, type ProgramUse, type SectionName, type Settings, sectionChange, settingsSections } from './settings.ts'
export { PendingSignIn, SignInProvider, SsoOutcome } from './sso-rows.ts'
export type { AttentionRow, Dashboard, FirstStep, NewsRow, TransferDay } from './stats.ts'
export { TokenRow } from './token.ts'
export { UploadRow } from './upload.ts'
export { parseUserAgent } from './user-agent.ts'
export { InvitationLink, maxRemovalCount, Removal, Successor, User, UserDetails, UserRow } from './user-rows.ts'
export { VersionRow } from './version.ts'
export { Delivery, DeliveryState, WebhookEvent, WebhookRow } from './webhook.ts'
