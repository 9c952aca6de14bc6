import type { TokenRow, TokenScope } from '@neptune/contract'
import { AlertIcon } from '../../components/entry-icons.tsx'
import { Badge } from '../../components/feedback/badge.tsx'
import { type Text, t } from '../../i18n/t.ts'
import { formatAge } from '../../lib/time/dates.ts'

export const scopeNames = { read: 'Read', write: 'Read and write' } as const satisfies Record<TokenScope, Text>

export const getScopeOptions = () => Object.entries(scopeNames).map(([value, name]) => ({ value, label: t(name) }))

/** What a script can do with a token. */
export const scopeEffects = {
  read: 'Can list and download.',
  write: 'Can also upload, change and delete.',
} as const satisfies Record<TokenScope, Text>

export const formatLastUsed = ({ last_used_at }: TokenRow) => (last_used_at ? formatAge(last_used_at) : t('Never'))

/** Returns whether a token expired after the list was loaded. The next response omits it. */
export const isExpired = ({ expires_at }: TokenRow) => expires_at !== null && Date.parse(expires_at) <= Date.now()

export const ExpiredBadge = () => (
  <Badge tone="danger" icon={<AlertIcon />}>
    {t('Expired')}
  </Badge>
)
