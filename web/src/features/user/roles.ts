import type { Role } from '@neptune/contract'
import { type Text, t } from '../../words/t.ts'

export const roleNames = { NEPTUNE_USER: 'User', NEPTUNE_ADMIN: 'Admin' } as const satisfies Record<Role, Text>

export const roleEffects = {
  NEPTUNE_USER: 'Works with the directories, files and links of this company alone.',
  NEPTUNE_ADMIN: 'Sees and changes everything, in every company: users, mail and activity, too.',
} as const satisfies Record<Role, Text>

export const roleOptions = () => Object.entries(roleNames).map(([value, name]) => ({ value, label: t(name) }))
