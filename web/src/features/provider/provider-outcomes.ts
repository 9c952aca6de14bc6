import type { SsoOutcome } from '@neptune/contract'
import { type Text, t } from '../../i18n/t.ts'

/** The outcomes that need another step of the user. All others are errors. */
type Waiting = 'link' | 'second-factor'

/** What the person can do about each error. Nothing that a provider sends is shown. */
const outcomeTexts = {
  denied: 'Signing in was cancelled at the provider. Try again, or sign in a different way.',
  expired: 'This took too long, or began in another browser. Sign in again.',
  rejected: 'The provider’s response couldn’t be verified, so you’re not signed in. Ask an administrator.',
  unreachable: 'The provider can’t be reached right now. Try again later, or sign in a different way.',
  misconfigured: 'Single sign-on isn’t set up correctly. Ask an administrator.',
  unknown: 'This provider can no longer be used here. Sign in a different way, or ask an administrator.',
  unverified: 'The provider doesn’t confirm your email address, so you can’t sign in with it. Ask an administrator.',
  'no-access': 'You can’t sign in here with this account. Ask an administrator for access.',
  invitation:
    'Accept your invitation first: open the link that you were sent. If it no longer works, ask an administrator for a new one.',
  'too-many': 'Too many attempts. Try again in a few minutes.',
} as const satisfies Record<Exclude<SsoOutcome, Waiting>, Text>

export const isWaiting = (outcome: string | null): outcome is Waiting => outcome === 'link' || outcome === 'second-factor'

/** Describes why a sign-in with a provider failed. Undefined if it did not fail, or the code is not one of ours. */
export const describeOutcome = (outcome: string | null): string | undefined =>
  outcome !== null && isFailure(outcome) ? t(outcomeTexts[outcome]) : undefined

const isFailure = (outcome: string): outcome is keyof typeof outcomeTexts => Object.hasOwn(outcomeTexts, outcome)
