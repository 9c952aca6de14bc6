import { useQuery } from '@tanstack/react-query'
import { RequestFailure } from '../../api/request-failure.tsx'
import { classNames } from '../../components/class-names.ts'
import { KeyIcon } from '../../components/entry-icons.tsx'
import { Button } from '../../components/form/button.tsx'
import { t } from '../../i18n/t.ts'
import css from './passkey.module.css'
import { findPasskeyObstacle } from './passkey-obstacle.ts'
import { passkeysQuery, useConfirmWithPasskey } from './passkey-queries.ts'

const c = classNames(css)

/** A button that confirms the user’s identity with a passkey. Renders nothing if none of their passkeys works here. */
export function ConfirmWithPasskey({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const { data } = useQuery(passkeysQuery())
  const confirm = useConfirmWithPasskey()
  if (!data?.passkeys.some(({ works }) => works) || findPasskeyObstacle(data) !== undefined) return null
  return (
    <div className={c('form')}>
      {confirm.error && <RequestFailure error={confirm.error} />}
      <Button icon={<KeyIcon />} busy={confirm.isBusy} onClick={() => confirm.run(undefined, { onSuccess: () => onDone(true) })}>
        {t('Use a passkey')}
      </Button>
    </div>
  )
}
