import type { PendingSignIn } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { seal, unseal } from '../../lib/secrets.ts'
import type { FirstFactorStep } from '../factor/second-factor.service.ts'

/** The data of a challenge: an account at a provider that waits to be connected. */
export interface PendingLink {
  provider: NonNullable<PendingSignIn['provider']>
  email: string
  needs: NonNullable<PendingSignIn['needs']>
  to: string
  /** The generation of the user with the same email address, or of the user who started this. The challenge ends when it changes. */
  generation: number
  step: FirstFactorStep
}

/** The contents of a sealed cookie. Only our own scripts can request them, and they are never part of a URL. */
export type PendingCookie =
  | (Pick<PendingSignIn, 'second_factor' | 'to'> & { kind: 'second_factor' })
  | { kind: 'link'; challenge: string }

const sealContext = 'provider pending'

export const sealPending = ({ keys }: Deps, pending: PendingCookie) => seal(keys.seal, sealContext, JSON.stringify(pending))

export function readPending({ keys }: Deps, cookie: string | undefined): PendingCookie | undefined {
  try {
    return JSON.parse(unseal(keys.seal, sealContext, cookie ?? '')) as PendingCookie
  } catch {
    return undefined
  }
}
