import type { InvitationLink, UserRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { requireConfirmation, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createEmailToken, getTokenId, isEmailToken } from '../../lib/email-token.ts'
import { newId } from '../../lib/secrets.ts'
import { emails } from '../../mail/emails/emails.ts'
import { record } from '../audit/audit.service.ts'
import { requireOpenCompany } from '../company/company.service.ts'
import { type Compose, enqueueMail } from '../outbox/outbox.service.ts'
import { readMailDelivery } from '../settings/mail-server.service.ts'
import { deleteInvitedUser, findInvitedUser, type Invitation, setInvitation } from './invitation.repo.ts'
import { findUser, lockUser, type UserRecord } from './user.repo.ts'
import { toUserRow } from './user.service.ts'

type Db = Deps['db']

const lifetimeMs = 7 * 24 * 60 * 60_000

/** A user, with the link of their invitation if no mail server is set up. */
export interface CreatedUser {
  data: UserRow
  link?: InvitationLink | undefined
}

export const createInvitation = (deps: Deps): Invitation => ({
  invitation_id: newId(),
  invitation_ends_at: new Date(deps.now().getTime() + lifetimeMs).toISOString(),
})

/** Sends the link of an invitation. Call it inside the transaction that stores the invitation. */
export const sendInvitation = (deps: Deps, trx: Db, sender: Staff, { email, invitation_id }: { email: string } & Invitation) =>
  enqueueMail(deps, trx, { letter: 'invitation', to: email, about: `${invitation_id} ${sender.userId}`, sender })

/** Returns the link for an admin to pass on, if no mail server is set up. Otherwise only the invited user gets it, by email. */
export async function getLinkToShow(deps: Deps, user: { email: string } & Invitation): Promise<InvitationLink | undefined> {
  if ((await readMailDelivery(deps)) === 'smtp') return undefined
  return { url: createUrl(deps, user.invitation_id, user.email), ends_at: user.invitation_ends_at }
}

const createUrl = ({ config, keys }: Deps, invitationId: string, email: string) =>
  `${config.publicUrl}/invitation/${createEmailToken(keys.invitation, invitationId, email)}`

/** Composes the message with the link. Returns undefined, so that nothing is sent, if the link no longer works. */
export const composeInvitation: Compose = async (deps, { about, to }) => {
  const [invitationId = '', inviterId = ''] = about.split(' ')
  const user = await findInvitedUser(deps.db, invitationId, deps.now().toISOString())
  if (user?.email !== to || !mayAccept(user) || user.invitation_ends_at === null) return undefined
  const inviter = await findUser(deps.db, inviterId)
  const write = emails.invitation({
    name: user.name,
    email: to,
    company: user.company_name,
    inviter: inviter?.name,
    endsAt: user.invitation_ends_at,
    url: createUrl(deps, invitationId, to),
  })
  const canReply = inviter && inviter.suspended_at === null
  return { write, replyTo: canReply ? { name: inviter.name, address: inviter.email } : undefined }
}

/** Replaces the link of an invited user, so that the previous one stops working, and sends the new one. */
export async function resendInvitation(deps: Deps, actor: Staff, id: string): Promise<CreatedUser> {
  const found = await findUser(deps.db, id)
  if (!found) throw new AppError('user.not_found')
  const invited = await deps.db.transaction().execute(async (trx) => {
    await requireOpenCompany(trx, found.company_id)
    const user = await lockInvitedUser(trx, id)
    if (user.role === 'NEPTUNE_ADMIN') requireConfirmation(actor) // the caller may get the link
    if (user.suspended_at !== null) throw new AppError('user.suspended')
    const invited = { ...user, ...createInvitation(deps) }
    await setInvitation(trx, id, invited)
    await sendInvitation(deps, trx, actor, invited)
    await record(deps, trx, [{ action: 'user.invitation_resent', by: actor, company: user.company_id, name: user.email }])
    return invited
  })
  return { data: toUserRow(invited), link: await getLinkToShow(deps, invited) }
}

/** Revokes an invitation and removes its user. They have never signed in, so nothing of theirs is lost. */
export const revokeInvitation = (deps: Deps, actor: Staff, id: string): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const user = await lockInvitedUser(trx, id)
    await deleteInvitedUser(trx, id)
    await record(deps, trx, [{ action: 'user.invitation_revoked', by: actor, company: user.company_id, name: user.email }])
  })

async function lockInvitedUser(trx: Db, id: string): Promise<UserRecord> {
  const user = await lockUser(trx, id)
  if (!user) throw new AppError('user.not_found')
  if (user.invitation_id === null) throw new AppError('user.not_invited')
  return user
}

/** Returns the user that a token was created for, if they can accept their invitation now. */
export async function findUserByInvitation(deps: Deps, db: Db, token: string): Promise<UserRecord | undefined> {
  const user = await findInvitedUser(db, getTokenId(token), deps.now().toISOString())
  return user && isEmailToken(deps.keys.invitation, token, user.email) && mayAccept(user) ? user : undefined
}

const mayAccept = ({ suspended_at, company_archived_at }: UserRecord) => suspended_at === null && company_archived_at === null
