import type { ProviderAccount, SignInProvider } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { describeOutcome, isWaiting } from '../../features/provider/provider-outcomes.ts'
import { providerAccountsQuery, signInOptionsQuery } from '../../features/provider/provider-queries.ts'
import { useStartAtProvider } from '../../features/provider/start-at-provider.ts'
import { t } from '../../i18n/t.ts'
import { formatAge, formatDay } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import { PageSection } from '../shared/page/page-section.tsx'
import { ConnectAccountDialog, DisconnectAccountDialog } from './connect-account-dialogs.tsx'
import css from './sign-in-section.module.css'

const c = classNames(css)

/** The user’s accounts at providers. Shown only if there are providers or accounts. */
export function ConnectedAccounts() {
  const options = useQuery(signInOptionsQuery())
  const accounts = useQuery(providerAccountsQuery())
  const outcome = new URLSearchParams(useLocation().search).get('sso')
  const navigate = useNavigate()
  const providers = options.data?.providers ?? []
  const failure = describeOutcome(outcome)
  if (accounts.isPending || (providers.length === 0 && accounts.data?.length === 0)) return null
  return (
    <PageSection
      name={t('Connected accounts')}
      note={t('Accounts you can use to sign in.')}
      action={<ConnectButtons providers={providers} />}
    >
      {failure && <FormError title={failure} announce="alert" />}
      {accounts.isError ? (
        <ErrorState
          title={t('Your accounts did not load.')}
          detail={accounts.error.message}
          onRetry={() => void accounts.refetch()}
        />
      ) : (
        <ul className={c('list')}>
          {accounts.data.map((account) => (
            <AccountItem key={account.id} account={account} />
          ))}
          {accounts.data.length === 0 && <li className={c('item')}>{t('None yet.')}</li>}
        </ul>
      )}
      {isWaiting(outcome) && <ConnectAccountDialog onClose={() => void navigate(paths.account, { replace: true })} />}
    </PageSection>
  )
}

/** A button for each provider. It opens the provider, which sends the browser back to this page. */
function ConnectButtons({ providers }: { providers: readonly SignInProvider[] }) {
  const start = useStartAtProvider()
  return (
    <div className={c('buttons')}>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          busy={start.isBusy && start.input?.provider === id}
          onClick={() => start.run({ provider: id, to: paths.account, link: true })}
        >
          {t('Connect {name}', { name })}
        </Button>
      ))}
    </div>
  )
}

function AccountItem({ account }: { account: ProviderAccount }) {
  const { provider, issuer, email, created_at, last_used_at } = account
  const [isRemoving, setRemoving] = useState(false)
  const name = provider?.name ?? issuer
  return (
    <li className={c('item')}>
      <div>
        <h3 className={c('name')}>{name}</h3>
        <p className={c('note')}>
          {email && `${email} · `}
          {last_used_at === null
            ? t('Connected on {date}', { date: formatDay(created_at) })
            : t('Last used {when}', { when: formatAge(last_used_at) })}
          {provider === null && ` · ${t('This provider can’t be used now.')}`}
        </p>
      </div>
      <Button aria-label={`${t('Disconnect')}: ${name}, ${email}`} onClick={() => setRemoving(true)}>
        {t('Disconnect')}
      </Button>
      {isRemoving && <DisconnectAccountDialog account={account} onClose={() => setRemoving(false)} />}
    </li>
  )
}
