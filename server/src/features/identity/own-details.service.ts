import type { Language, User } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { requireConfirmation, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { runPasswordTask } from '../../lib/password/passwords.ts'
import { record } from '../audit/audit.service.ts'
import { readPasswordState } from '../session/policy.service.ts'
import { changeDetails, type Details } from '../user/details.service.ts'
import { findUser, lockUser, setLanguage } from '../user/user.repo.ts'
import { maySignIn, toUser } from '../user/user.service.ts'
import { requireField, requirePassword } from './identity.service.ts'

/**
 * Changes the user's own name or email. Requires the password, because the owner of the email address can reset the password. Without a
 * password, requires a fresh proof of who they are.
 */
export async function changeOwnDetails(
  deps: Deps,
  actor: Staff,
  { password, ...details }: Details & { password?: string | undefined },
): Promise<User> {
  const user = await findUser(deps.db, actor.userId)
  if (!user) throw new AppError('session.missing')
  const action = details.email === undefined ? 'user.renamed' : 'user.email_changed'
  if ((await readPasswordState(deps, user)) === 'set') {
    const entered = requireField('password', password)
    await runPasswordTask(toClientKey(actor.client), () => requirePassword(deps, actor, user, entered, action))
  } else requireConfirmation(actor)
  const changed = await changeDetails(deps, actor, user, details, (now) => {
    // The password may have been changed, or a first one set, since it was checked.
    if (now.generation !== user.generation || !maySignIn(now)) throw new AppError('session.missing')
  })
  return toUser(changed)
}

/** Stores the language of the user's screens and emails. Null leaves it to their browser and the organisation. */
export const changeOwnLanguage = (deps: Deps, actor: Staff, language: Language | null): Promise<User> =>
  deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user) throw new AppError('session.missing')
    if (user.language !== language) {
      await setLanguage(trx, user.id, language)
      const about = { by: actor, company: user.company_id, name: user.email }
      await record(deps, trx, [
        { action: 'user.language_changed', ...about, note: `${user.language ?? '–'} → ${language ?? '–'}` },
      ])
    }
    return toUser({ ...user, language })
  })
