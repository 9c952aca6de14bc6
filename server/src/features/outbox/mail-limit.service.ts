import type { MailRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Recipient, Staff } from '../../lib/actor.ts'
import { countUsesIn, countUsesOrGetDelay, tryCountUses } from '../throttle/throttle.service.ts'

type Db = Deps['db']
type EmailKind = MailRow['letter']

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/**
 * How many messages an address can get per hour, by who causes them. Each group has its own limit, so that people outside can't use up the
 * limit of staff, and nobody can suppress messages about the security of an account.
 */
const hourlyLimits = { staff: 5, outside: 5, account: 5 }

/**
 * What happens over the limit of an address. `refuse`: the request fails before it changes anything. `hold` and `merge`: the message
 * is a side effect of something that happens anyway, so it is held back, but never dropped. Merging joins the `about` of all held
 * messages of the kind, a line for each, so its composer must read several lines.
 */
const rules: Record<EmailKind, { group: keyof typeof hourlyLimits; over: 'refuse' | 'hold' | 'merge' } | undefined> = {
  test: { group: 'staff', over: 'refuse' },
  invitation: { group: 'staff', over: 'refuse' },
  link_details: { group: 'staff', over: 'refuse' },
  link_address: { group: 'staff', over: 'refuse' },
  link_extended: { group: 'staff', over: 'merge' },
  links_handed_over: { group: 'staff', over: 'merge' },
  receipt: { group: 'outside', over: 'refuse' },
  link_uploads: { group: 'outside', over: 'merge' },
  link_downloaded: { group: 'outside', over: 'merge' },
  link_asked: { group: 'outside', over: 'merge' },
  quota_warning: { group: 'outside', over: 'merge' },
  email_changed: { group: 'account', over: 'refuse' },
  password_changed: { group: 'account', over: 'hold' },
  new_sign_in: { group: 'account', over: 'merge' },
  factor_changed: { group: 'account', over: 'hold' },
  factor_reset: { group: 'staff', over: 'refuse' },
  /** Counted by `tryCountReset`, before anything is written. */
  password_reset: undefined,
}

/** The person who causes a message. */
export type Sender = Staff | Recipient

const createAddressLimit = (group: keyof typeof hourlyLimits, to: string) => ({
  key: ['mail', group, to],
  limit: hourlyLimits[group],
  windowMs: hourMs,
})

/** Returns the limits of a sender. Recipients have separate limits, so that they can't use up those of a company's staff. */
function createSenderLimits(sender: Sender) {
  if (sender.kind === 'staff')
    return [
      { key: ['mail', 'user', sender.userId], limit: 20, windowMs: hourMs },
      { key: ['mail', 'company', sender.companyId], limit: 200, windowMs: dayMs },
    ]
  const { key, companyId } = sender.link
  return [
    { key: ['mail', 'visitor', sender.client, key], limit: 3, windowMs: hourMs },
    { key: ['mail', 'visitors', companyId], limit: 200, windowMs: dayMs },
  ]
}

/**
 * Counts one message for its sender and, unless it can be held back, for each address. Call it inside the transaction that inserts
 * the messages: it throws `mail.too_many` over a limit, which rolls back their cause and the count.
 */
export async function countMails(deps: Deps, trx: Db, kind: EmailKind, to: string[], sender: Sender | undefined) {
  const rule = rules[kind]
  if (!rule || (rule.over !== 'refuse' && !sender)) return
  if (!sender) throw new Error(`An email of the kind ${kind} needs a sender`)
  const addresses = rule.over === 'refuse' ? to.map((address) => createAddressLimit(rule.group, address)) : []
  await countUsesIn(deps, trx, 'mail.too_many', [...createSenderLimits(sender), ...addresses])
}

/** Counts a message that is about to be sent. If its address is over its limit, returns how many seconds to hold it back. */
export async function countOrGetDelay(deps: Deps, kind: EmailKind, to: string): Promise<number | undefined> {
  const rule = rules[kind]
  return rule && rule.over !== 'refuse' ? countUsesOrGetDelay(deps, [createAddressLimit(rule.group, to)]) : undefined
}

/** Returns whether held messages of this kind are merged into one, whatever they are about. */
export const canMerge = (kind: EmailKind) => rules[kind]?.over === 'merge'

/**
 * Counts a password reset message. Returns false over the limit. The hourly count starts over with every new password, so that
 * someone who took over the account can't keep its owner from resetting it.
 */
export const tryCountReset = (deps: Deps, to: string, generation: number): Promise<boolean> =>
  tryCountUses(deps, [
    { key: ['forgot', 'hour', to, String(generation)], limit: 5, windowMs: hourMs },
    { key: ['forgot', 'day', to], limit: 50, windowMs: dayMs },
  ])
