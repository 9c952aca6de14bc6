import type { Language } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { createLocalizer } from '../../mail/localizer.ts'
import type { Message } from '../../mail/mailer.ts'
import { type EmailBrand, renderEmail } from '../../mail/render-email.ts'
import { readBrand } from '../brand/brand.service.ts'
import { readSender } from '../settings/mail-server.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findUserByEmail } from '../user/user.repo.ts'
import type { OutboxRow } from './outbox.repo.ts'
import type { Draft } from './outbox.service.ts'

/** Creates the message that is sent: in the language of its reader, and with the name, logo and colour of its sender. */
export async function createMessage(deps: Deps, mail: OutboxRow, draft: Draft): Promise<Message> {
  const brand = await readBrand(deps, draft.companyId)
  const { organisation, appearance } = await readSettings(deps)
  const { from, replyTo } = await readSender(deps, brand.name)
  const localizer = createLocalizer({
    language: await findLanguage(deps, mail, draft),
    timeZone: organisation.time_zone,
    organisation: brand.name ?? 'Neptune',
  })
  const { publicUrl } = deps.config
  const toAbsolute = (logo: typeof brand.logos.light) => logo && { ...logo, url: publicUrl + logo.url }
  const emailBrand: EmailBrand = {
    isNamed: brand.name !== null,
    url: publicUrl,
    logos: { light: toAbsolute(brand.logos.light), dark: toAbsolute(brand.logos.dark) },
    accent: appearance.accent,
    welcome: draft.companyId === undefined ? null : brand.welcome,
    imprintUrl: brand.imprint_url,
    privacyUrl: brand.privacy_url,
  }
  return {
    ...renderEmail(draft.write, localizer, emailBrand),
    id: mail.id,
    from,
    replyTo: draft.replyTo ?? replyTo,
    to: mail.recipient,
    date: new Date(mail.created_at),
  }
}

/** Returns the language that the reader chose, otherwise the one that the sender chose for them, otherwise that of the organisation. */
async function findLanguage(deps: Deps, mail: OutboxRow, draft: Draft): Promise<Language> {
  const user = await findUserByEmail(deps.db, mail.recipient)
  return draft.language ?? user?.language ?? mail.language ?? (await readSettings(deps)).organisation.language
}
