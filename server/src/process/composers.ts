import {
  composeAsked,
  composeDetails,
  composeDownloaded,
  composeExtended,
  composeUploads,
} from '../features/access/notice.service.ts'
import { composePasswordChanged, composePasswordReset } from '../features/identity/reset.service.ts'
import { type Compose, composeTest } from '../features/outbox/outbox.service.ts'
import { composeReceipt } from '../features/receipt/receipt.service.ts'
import { composeEmailChanged } from '../features/user/details.service.ts'

/** The function that writes the text of each type of email. */
const composers: Record<Parameters<Compose>[1]['letter'], Compose> = {
  test: composeTest,
  password_reset: composePasswordReset,
  password_changed: composePasswordChanged,
  email_changed: composeEmailChanged,
  link_details: composeDetails,
  link_address: composeDetails,
  link_uploads: composeUploads,
  link_downloaded: composeDownloaded,
  link_asked: composeAsked,
  link_extended: composeExtended,
  receipt: composeReceipt,
}

export const compose: Compose = (deps, mail) => composers[mail.letter](deps, mail)
