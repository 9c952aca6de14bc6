import type { MailRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Recipient, Staff } from '../../lib/actor.ts'
import { countUsesIn, countUsesOrDelay, tryCountUses } from '../throttle/throttle.service.ts'

type Db = Deps['db']
type LetterName = MailRow['letter']

const hour = 60 * 60_000
const day = 24 * hour

/**
 * How many messages an hour an address gets, by who causes them. Each group has a limit of its own, so that people outside
 * can't use up the limit of staff, and neither can suppress messages about the security of an account.
 */
const perAddress = { staff: 5, outside: 5, account: 5 }

/**
 * What happens over the limit of an address. `refuse`: the request for the message is refused before it changes anything. `hold`: the message
 * goes with something that happens anyway, so it is held back and merged with others, never dropped.
 */
const rules: Record<LetterName, { share: keyof typeof perAddress; over: 'refuse' | 'hold' } | undefined> = {
  test: { share: 'staff', over: 'refuse' },
  link_details: { share: 'staff', over: 'refuse' },
  link_address: { share: 'staff', over: 'refuse' },
  link_extended: { share: 'staff', over: 'hold' },
  receipt: { share: 'outside', over: 'refuse' },
  link_uploads: { share: 'outside', over: 'hold' },
  link_downloaded: { share: 'outside', over: 'hold' },
  link_asked: { share: 'outside', over: 'hold' },
  email_changed: { share: 'account', over: 'refuse' },
  password_changed: { share: 'account', over: 'hold' },
  /** Counted by `mayMailReset`, before anything is written. */
  password_reset: undefined,
}

/** Who requests a message. */
export type Sender = Staff | Recipient

const toAddress = (share: keyof typeof perAddress, to: string) => ({
  of: ['mail', share, to],
  limit: perAddress[share],
  window: hour,
})

/** A recipient's messages are counted apart from the company's own, so that people outside can't use those up. */
function bySender(sender: Sender) {
  if (sender.kind === 'staff')
    return [
      { of: ['mail', 'user', sender.userId], limit: 20, window: hour },
      { of: ['mail', 'company', sender.companyId], limit: 200, window: day },
    ]
  const { key, companyId } = sender.link
  return [
    { of: ['mail', 'visitor', sender.client, key], limit: 3, window: hour },
    { of: ['mail', 'visitors', companyId], limit: 200, window: day },
  ]
}

/**
 * Counts one message for its sender and, unless it can be held back, for each address. Call it in the transaction that inserts the
 * messages: throws `mail.too_many` over a limit, which rolls back their cause and the count.
 */
export async function countMails(deps: Deps, trx: Db, letter: LetterName, to: string[], sender: Sender | undefined) {
  const rule = rules[letter]
  if (!rule || (rule.over === 'hold' && !sender)) return
  if (!sender) throw new Error(`The message ${letter} has no sender`)
  const addresses = rule.over === 'refuse' ? to.map((address) => toAddress(rule.share, address)) : []
  await countUsesIn(deps, trx, 'mail.too_many', [...bySender(sender), ...addresses])
}

/**
 * Counts a message that is about to be sent. If its address is over its limit, returns how many seconds the message is held
 * back.
 */
export async function holdFor(deps: Deps, letter: LetterName, to: string): Promise<number | undefined> {
  const rule = rules[letter]
  return rule?.over === 'hold' ? countUsesOrDelay(deps, [toAddress(rule.share, to)]) : undefined
}

/**
 * Counts a message with a link to choose a new password. The hourly count starts over with every new password, so that a thief
 * who changed it can't keep the owner from resetting it.
 */
export const mayMailReset = (deps: Deps, to: string, generation: number): Promise<boolean> =>
  tryCountUses(deps, [
    { of: ['forgot', 'hour', to, String(generation)], limit: 5, window: hour },
    { of: ['forgot', 'day', to], limit: 50, window: day },
  ])
