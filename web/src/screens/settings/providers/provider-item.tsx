import { hiddenPassword, type ProviderRow } from '@neptune/contract'
import { classNames } from '../../../components/class-names.ts'
import { Badge } from '../../../components/feedback/badge.tsx'
import { useToast } from '../../../components/feedback/toast.tsx'
import { Button } from '../../../components/form/button.tsx'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { CheckIcon, LockIcon, MoreIcon, PauseIcon, ResumeIcon, TrashIcon } from '../../../components/icons.tsx'
import { Menu } from '../../../components/menu/menu.tsx'
import { useEnableProvider, useTestProvider } from '../../../features/provider/provider-queries.ts'
import { ProviderTestResult } from '../../../features/provider/provider-test.tsx'
import { explainLastWayIn } from '../../../features/provider/provider-texts.ts'
import { t } from '../../../i18n/t.ts'
import { formatAge } from '../../../lib/time/dates.ts'
import { useDialog } from '../../shared/dialogs/dialog.ts'
import css from './providers.module.css'

const c = classNames(css)

/** A provider in the list, with what to register for back-channel logout. */
export function ProviderItem({ provider }: { provider: ProviderRow }) {
  const { id, name, issuer, client_id, client_secret, locked, disabled_at, last_used_at, logout_uri } = provider
  const test = useTestProvider()
  const open = useDialog()
  const runTest = () => test.run({ id, issuer, client_id, client_secret: client_secret === null ? null : hiddenPassword })
  return (
    <li className={c('item')} aria-label={name}>
      <div className={c('head')}>
        <div className={c('about')}>
          <h3 className={c('name')}>
            {name}{' '}
            {disabled_at === null ? (
              <Badge tone="success" icon={<CheckIcon />}>
                {t('Enabled')}
              </Badge>
            ) : (
              <Badge tone="neutral" icon={<PauseIcon />}>
                {t('Disabled')}
              </Badge>
            )}
          </h3>
          <p className={c('issuer')}>{issuer}</p>
          <p className={c('muted')}>
            {last_used_at === null
              ? t('Nobody has signed in with it yet.')
              : t('Last used {when}', { when: formatAge(last_used_at) })}
          </p>
          {locked !== null && (
            <p className={c('locked')}>
              <LockIcon size={16} />
              <span>{t('Set by the operator ({variable}).', { variable: locked })}</span>
            </p>
          )}
        </div>
        <div className={c('actions')}>
          <Button busy={test.isBusy} onClick={runTest} aria-label={`${t('Test (a connection)')}: ${name}`}>
            {t('Test (a connection)')}
          </Button>
          {locked === null && (
            <>
              <Button onClick={() => open({ kind: 'edit-provider', provider })} aria-label={`${t('Edit')}: ${name}`}>
                {t('Edit')}
              </Button>
              <ProviderMenu provider={provider} />
            </>
          )}
        </div>
      </div>
      <ProviderTestResult result={test.isBusy ? undefined : test.result?.data} error={test.error} />
      <CopyField
        label={t('Back-channel logout URI')}
        hint={t('Register it at the provider, so that signing out there also ends sessions here.')}
        value={logout_uri}
      />
    </li>
  )
}

function ProviderMenu({ provider }: { provider: ProviderRow }) {
  const { id, name, version, disabled_at } = provider
  const enable = useEnableProvider()
  const toast = useToast()
  const open = useDialog()
  const setDisabled = (disabled: boolean) =>
    enable.run(
      { id, version, disabled },
      {
        onSuccess: () => toast({ message: disabled ? t('Disabled {name}.', { name }) : t('Enabled {name}.', { name }) }),
        onError: (error) => toast({ message: explainLastWayIn(error).message }),
      },
    )
  return (
    <Menu
      label={t('Actions for {name}', { name })}
      align="end"
      trigger={<MoreIcon />}
      items={[
        disabled_at === null
          ? { label: t('Disable'), icon: <PauseIcon />, onSelect: () => setDisabled(true) }
          : { label: t('Enable'), icon: <ResumeIcon />, onSelect: () => setDisabled(false) },
        'separator',
        { label: t('Delete'), icon: <TrashIcon />, danger: true, onSelect: () => open({ kind: 'delete-provider', provider }) },
      ]}
    />
  )
}
