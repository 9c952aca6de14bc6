import { maxPasskeys, type PasskeyRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { findPasskeyObstacle } from '../../features/passkey/passkey-obstacle.ts'
import { passkeysQuery } from '../../features/passkey/passkey-queries.ts'
import { t } from '../../i18n/t.ts'
import { formatAge, formatDay } from '../../lib/time/dates.ts'
import { PasskeySetUp } from '../shared/factors/passkey-set-up.tsx'
import { PageSection } from '../shared/page/page-section.tsx'
import { RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'
import { SignInItem } from './sign-in-item.tsx'
import css from './sign-in-section.module.css'

const c = classNames(css)

/** The user’s passkeys, and a button to add one. Where passkeys can’t be used, says why. */
export function PasskeySection() {
  const { data, isError, error, refetch } = useQuery(passkeysQuery())
  const obstacle = data && findPasskeyObstacle(data)
  return (
    <PageSection
      name={t('Passkeys')}
      note={t(
        'Sign in with your fingerprint, face, PIN or security key instead of a password. A passkey is also a second factor.',
      )}
      action={data && obstacle === undefined && <AddButton passkeys={data.passkeys} />}
    >
      {isError && !data && (
        <ErrorState title={t('The passkeys did not load.')} detail={error.message} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <Skeleton height={62} label={t('Loading')} />}
      {obstacle !== undefined && <p className={c('note')}>{obstacle}</p>}
      {data && data.passkeys.length > 0 && (
        <ul className={c('list')}>
          {data.passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} all={data.passkeys} isAvailable={data.available} />
          ))}
        </ul>
      )}
    </PageSection>
  )
}

const AddButton = ({ passkeys }: { passkeys: readonly PasskeyRow[] }) => (
  <PasskeySetUp
    names={passkeys.map(({ name }) => name)}
    disabledReason={
      passkeys.length >= maxPasskeys
        ? t('You’ve reached the limit of 20 passkeys. Remove one before you add another.')
        : undefined
    }
  />
)

interface PasskeyItemProps {
  passkey: PasskeyRow
  all: readonly PasskeyRow[]
  isAvailable: boolean
}

function PasskeyItem({ passkey, all, isAvailable }: PasskeyItemProps) {
  const [dialog, setDialog] = useState<'rename' | 'remove'>()
  const { id, name, works } = passkey
  const close = () => setDialog(undefined)
  return (
    <SignInItem name={name} note={describePasskey(passkey, isAvailable)} isWarning={!works}>
      <div className={c('buttons')}>
        <Button aria-label={t('Rename {name}', { name })} onClick={() => setDialog('rename')}>
          {t('Rename')}
        </Button>
        <Button aria-label={t('Remove {name}', { name })} onClick={() => setDialog('remove')}>
          {t('Remove')}
        </Button>
      </div>
      {dialog === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={close} />}
      {dialog === 'remove' && (
        <RemovePasskeyDialog
          passkey={passkey}
          isLastPasskey={!all.some((other) => other.works && other.id !== id)}
          onClose={close}
        />
      )}
    </SignInItem>
  )
}

function describePasskey({ created_at, last_used_at, host, works }: PasskeyRow, isAvailable: boolean): string {
  const added = t('Added on {date}.', { date: formatDay(created_at) })
  if (works)
    return `${added} ${last_used_at === null ? t('Never used.') : t('Last used {when}.', { when: formatAge(last_used_at) })}`
  return `${added} ${
    isAvailable
      ? t('It works only at the address {host}, which this portal no longer has.', { host })
      : t('It works only at the address {host}, with https://.', { host })
  }`
}
