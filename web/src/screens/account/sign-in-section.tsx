import type { Factors } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { FactorNote } from '../../features/factor/factor-note.tsx'
import { factorsQuery, useForgetBrowsers } from '../../features/factor/factor-queries.ts'
import { t } from '../../i18n/t.ts'
import { formatDay } from '../../lib/time/dates.ts'
import { TotpSetUp } from '../shared/factors/totp-set-up.tsx'
import { PageSection } from '../shared/page/page-section.tsx'
import { RemoveAppDialog, RenewCodesDialog } from './factor-dialogs.tsx'
import { SignInItem } from './sign-in-item.tsx'
import css from './sign-in-section.module.css'

const c = classNames(css)

/** With this many recovery codes or fewer, the user should create new ones. */
const fewCodes = 3

/** The user’s authenticator app, recovery codes and trusted browsers. */
export function SignInSection() {
  const factors = useQuery(factorsQuery())
  return (
    <PageSection name={t('Second factor')} note={t('With a second factor, a stolen password isn’t enough to sign in as you.')}>
      {factors.data ? (
        <>
          <FactorNote factors={factors.data} />
          <FactorItems factors={factors.data} />
        </>
      ) : factors.isError ? (
        <ErrorState
          title={t('The second factors did not load.')}
          detail={factors.error.message}
          onRetry={() => void factors.refetch()}
        />
      ) : (
        <Skeleton height={62} label={t('Loading')} />
      )}
    </PageSection>
  )
}

function FactorItems({ factors }: { factors: Factors }) {
  const { totp_since, has_second_factor, recovery_codes, trust_days, trusted_browsers } = factors
  return (
    <ul className={c('list')}>
      <AppItem since={totp_since} />
      {has_second_factor && <CodesItem left={recovery_codes} />}
      {has_second_factor && (trust_days > 0 || trusted_browsers > 0) && <BrowsersItem count={trusted_browsers} />}
    </ul>
  )
}

function AppItem({ since }: { since: string | null }) {
  const [isRemoving, setRemoving] = useState(false)
  return (
    <SignInItem
      name={t('Authenticator app')}
      note={
        since === null
          ? t('Not set up. It asks for a code from your phone after your password.')
          : t('Set up on {date}. You enter a code from it after your password.', { date: formatDay(since) })
      }
    >
      {since !== null && <Button onClick={() => setRemoving(true)}>{t('Remove app')}</Button>}
      <TotpSetUp isOffered={since === null} />
      {isRemoving && <RemoveAppDialog onClose={() => setRemoving(false)} />}
    </SignInItem>
  )
}

function CodesItem({ left }: { left: number }) {
  const [isRenewing, setRenewing] = useState(false)
  return (
    <SignInItem
      name={t('Recovery codes')}
      isWarning={left <= fewCodes}
      note={
        left <= fewCodes
          ? t('{n} codes left. Create new ones before you run out.', { n: left })
          : t('{n} codes left. Each replaces your second factor once.', { n: left })
      }
    >
      <Button onClick={() => setRenewing(true)}>{t('Create new codes')}</Button>
      {isRenewing && <RenewCodesDialog onClose={() => setRenewing(false)} />}
    </SignInItem>
  )
}

function BrowsersItem({ count }: { count: number }) {
  const forget = useForgetBrowsers()
  const toast = useToast()
  const run = () =>
    forget.run(undefined, {
      onSuccess: () => toast({ message: t('Every browser needs your second factor again.') }),
      onError: ({ message }) => toast({ message }),
    })
  return (
    <SignInItem
      name={t('Trusted browsers')}
      note={
        count === 0
          ? t('None. Every new sign-in needs your second factor.')
          : t('In {n} browsers, you sign in without your second factor.', { n: count })
      }
    >
      {count > 0 && (
        <Button busy={forget.isBusy} onClick={run}>
          {t('Stop trusting them')}
        </Button>
      )}
    </SignInItem>
  )
}
