import type { api, Reply } from '@neptune/contract'
import { t } from '../../i18n/t.ts'
import { supportsPasskeys } from './passkey-support.ts'

type Availability = Pick<Reply<typeof api.passkey.list>['data'], 'reason' | 'host'>

/** Says why this page can’t use passkeys. Undefined if it can. */
export function findPasskeyObstacle({ reason, host }: Availability): string | undefined {
  if (reason === 'not_https')
    return t('Passkeys can’t be used here, because the address of this portal doesn’t start with https://.')
  if (reason === 'ip_address')
    return t('Passkeys can’t be used here, because the address of this portal is an IP address instead of a host name.')
  if (location.hostname !== host) return t('Passkeys work only at the address {host}. Open this portal there.', { host })
  return supportsPasskeys() ? undefined : t('This browser doesn’t support passkeys.')
}
