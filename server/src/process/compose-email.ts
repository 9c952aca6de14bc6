import {
  composeDownloadNotice,
  composeExtensionNotice,
  composeHandoverNotice,
  composeLinkDetails,
  composeRequestNotice,
  composeUploadNotice,
} from '../features/access/link-emails.service.ts'
import { composeFactorChanged } from '../features/factor/factor-changes.service.ts'
import { composeFactorReset } from '../features/factor/factor-reset.service.ts'
import { composePasswordChanged, composePasswordReset } from '../features/identity/reset.service.ts'
import { type Compose, composeTest } from '../features/outbox/outbox.service.ts'
import { composeQuotaWarning } from '../features/quota/quota-warning.service.ts'
import { composeReceipt } from '../features/receipt/receipt.service.ts'
import { composeNewSignIn } from '../features/session/browser.service.ts'
import { composeEmailChanged } from '../features/user/details.service.ts'
import { composeInvitation } from '../features/user/invitation.service.ts'

/** The functions that compose the emails, by their type. */
const composers: Record<Parameters<Compose>[1]['letter'], Compose> = {
  test: composeTest,
  invitation: composeInvitation,
  password_reset: composePasswordReset,
  password_changed: composePasswordChanged,
  email_changed: composeEmailChanged,
  new_sign_in: composeNewSignIn,
  factor_changed: composeFactorChanged,
  factor_reset: composeFactorReset,
  link_details: composeLinkDetails,
  link_address: composeLinkDetails,
  link_uploads: composeUploadNotice,
  link_downloaded: composeDownloadNotice,
  link_asked: composeRequestNotice,
  link_extended: composeExtensionNotice,
  links_handed_over: composeHandoverNotice,
  receipt: composeReceipt,
  quota_warning: composeQuotaWarning,
}

/** Composes a queued email. Returns undefined if it is no longer needed. */
export const composeEmail: Compose = (deps, mail) => composers[mail.letter](deps, mail)
