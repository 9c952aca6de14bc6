import type { Role } from '@neptune/contract'
import { type Text, t } from '../../i18n/t.ts'

export const roleNames = { NEPTUNE_USER: 'User', NEPTUNE_ADMIN: 'Admin' } as const satisfies Record<Role, Text>

export const roleEffects = {
  NEPTUNE_USER: 'Works with the directories, files and links of the companies under Access.',
  NEPTUNE_ADMIN: 'Sees and changes everything in every company, including users, email and activity.',
} as const satisfies Record<Role, Text>

export const getRoleOptions = () => Object.entries(roleNames).map(([value, name]) => ({ value, label: t(name) }))
