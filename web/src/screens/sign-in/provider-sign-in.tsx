import type { SignInProvider } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { ProviderButtons } from '../../features/provider/provider-buttons.tsx'
import { t } from '../../i18n/t.ts'
import css from './provider-sign-in.module.css'

const c = classNames(css)

interface ProviderSignInProps {
  providers: readonly SignInProvider[]
  to: string
  /** Whether “Remember me” is checked. */
  remember: boolean
}

interface WithoutPasswordProps extends ProviderSignInProps {
  onRemember: (remember: boolean) => void
}

/** The buttons of providers, below the form. */
export function ProviderSignIn({ providers, to, remember }: ProviderSignInProps) {
  if (providers.length === 0) return null
  return (
    <>
      <p className={c('or')}>{t('or')}</p>
      <div className={c('ways')}>
        <ProviderButtons providers={providers} to={to} remember={remember} />
      </div>
    </>
  )
}

/** Replaces the form if passwords are turned off. “Remember me” also applies to the passkey button below it. */
export function SignInWithoutPassword({ providers, to, remember, onRemember }: WithoutPasswordProps) {
  if (providers.length === 0)
    return <p>{t('Your organisation has turned off passwords. Sign in a different way, or ask an administrator.')}</p>
  return (
    <>
      <p>{t('Your organisation has turned off passwords. Choose a different way to sign in.')}</p>
      <Checkbox label={t('Remember me')} checked={remember} onChange={({ target }) => onRemember(target.checked)} />
      <div className={c('ways')}>
        <ProviderButtons providers={providers} to={to} remember={remember} variant="primary" />
      </div>
    </>
  )
}
