import type { FileRow } from '@neptune/contract'
import { Badge } from '../../components/badge.tsx'
import { AlertIcon } from '../../components/icons.tsx'

/** Why a file cannot be downloaded, if so: its bytes are known to be wrong. */
export const damageOf = ({ damaged }: FileRow, ask = 'Tell an administrator.') =>
  damaged ? `This file is damaged on the server, so it cannot be downloaded. ${ask}` : undefined

export const DamagedBadge = () => (
  <Badge tone="danger" icon={<AlertIcon />}>
    Damaged
  </Badge>
)
