import type { Role } from '@neptune/contract'

export const roleNames: Record<Role, string> = { NEPTUNE_USER: 'User', NEPTUNE_ADMIN: 'Admin' }

export const roleOptions = Object.entries(roleNames).map(([value, label]) => ({ value, label }))
