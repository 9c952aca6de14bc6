import type { SignInProvider } from '@neptune/contract'
import { Button } from '../../components/form/button.tsx'
import { t } from '../../i18n/t.ts'
import { useStartAtProvider } from './start-at-provider.ts'

interface ProviderButtonsProps {
  providers: readonly SignInProvider[]
  /** The page to go to after the sign-in. */
  to: string
  remember: boolean
  variant?: 'primary'
}

/** One button for each provider that people can sign in with. */
export function ProviderButtons({ providers, to, remember, variant }: ProviderButtonsProps) {
  const start = useStartAtProvider()
  return providers.map(({ id, name }) => (
    <Button
      key={id}
      wide
      variant={variant}
      busy={start.isBusy && start.input?.provider === id}
      onClick={() => start.run({ provider: id, to, remember })}
    >
      {t('Sign in with {name}', { name })}
    </Button>
  ))
}
