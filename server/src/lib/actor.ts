import type { Role } from '@neptune/contract'

/** Who is calling. Features decide what an actor may do; only the guard decides who it is. */
export type Actor = { kind: 'anonymous' } | { kind: 'staff'; userId: string; companyId: string; role: Role; sessionId: string }

export type Staff = Extract<Actor, { kind: 'staff' }>

/** For handlers of endpoints the guard opens to staff alone. */
export function staffOnly(actor: Actor): Staff {
  if (actor.kind !== 'staff') throw new Error('The guard let somebody in who is not staff')
  return actor
}

/** The one company somebody may see, or undefined for those who see all. */
export const visibleCompany = ({ role, companyId }: Staff) => (role === 'NEPTUNE_ADMIN' ? undefined : companyId)
