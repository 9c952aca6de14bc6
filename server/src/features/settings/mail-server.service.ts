import type { Deps } from '../../deps.ts'
import { getDefaultPort, type MailServer } from '../../lib/net/mail-server.ts'
import { MailError } from '../../mail/mailer.ts'
import { unsealPassword } from './mail-password.ts'
import { findSection } from './settings.repo.ts'
import { computeValues, parseValues, readSettings } from './settings.service.ts'

/** Returns how emails are sent now. */
export const readMailDelivery = async (deps: Deps): Promise<'smtp' | 'files'> =>
  (await readSettings(deps)).email.smtp_host === null ? 'files' : 'smtp'

/**
 * Returns the sender of emails, and the Reply-To address for emails that no person has sent. `brandName` is the name in the header of the
 * email. Null if none is set.
 */
export async function readSender(deps: Deps, brandName: string | null) {
  const { email } = await readSettings(deps)
  const { defaultSender } = deps.config
  const name = email.sender_name ?? brandName ?? defaultSender.name
  return {
    from: { name, address: email.sender_address ?? defaultSender.address },
    replyTo: email.reply_to === null ? undefined : { name: '', address: email.reply_to },
  }
}

/** Returns the mail server with its password; undefined if there is none. Always reads it anew, so that no process keeps the password. */
export async function readMailServer(deps: Deps): Promise<MailServer | undefined> {
  if (deps.config.smtpServer) return deps.config.smtpServer
  const stored = parseValues((await findSection(deps.db, 'email'))?.value)
  const email = computeValues(deps, 'email', stored)
  if (email.smtp_host === null) return undefined
  const isTls = email.smtp_security === 'tls'
  const sealed = stored['smtp_password']
  try {
    return {
      host: email.smtp_host,
      port: email.smtp_port ?? getDefaultPort(isTls),
      isTls,
      user: email.smtp_user ?? undefined,
      password: typeof sealed === 'string' ? unsealPassword(deps.keys, email, sealed) : undefined,
    }
  } catch {
    throw new MailError(
      'unreachable',
      'The saved password of the mail server can’t be decrypted. Enter it again in the settings.',
    )
  }
}
