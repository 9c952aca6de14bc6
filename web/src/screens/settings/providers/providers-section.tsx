import type { ProviderRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { classNames } from '../../../components/class-names.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../../components/feedback/error-state.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Button } from '../../../components/form/button.tsx'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { KeyIcon, PlusIcon } from '../../../components/icons.tsx'
import { providersQuery } from '../../../features/provider/provider-queries.ts'
import type { Text } from '../../../i18n/t.ts'
import { t } from '../../../i18n/t.ts'
import { tNodes } from '../../../i18n/t-nodes.tsx'
import { useDialog } from '../../shared/dialogs/dialog.ts'
import { ProviderItem } from './provider-item.tsx'
import css from './providers.module.css'

const c = classNames(css)

export const providersTexts = {
  label: 'Single sign-on',
  purpose: 'Let people sign in with the account that they have at your organisation.',
} as const satisfies Record<string, Text>

/** The pages of the documentation that say step by step how to set up the usual providers. */
const guides = [
  ['Microsoft Entra ID', 'entra'],
  ['Google Workspace', 'google'],
  ['Keycloak', 'keycloak'],
  ['Authentik', 'authentik'],
] as const

export function ProvidersSection() {
  const { data: reply, error, refetch } = useQuery(providersQuery())
  if (reply) return <Providers providers={reply.data} uris={reply.uris} />
  if (error) {
    return (
      <ErrorState
        title={t('The providers did not load.')}
        detail={error.message}
        requestId={error instanceof ApiError ? error.requestId : undefined}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div aria-busy="true">
      <Skeleton height={200} label={t('Loading')} />
    </div>
  )
}

interface ProvidersProps {
  providers: readonly ProviderRow[]
  uris: { redirect_uri: string; post_logout_redirect_uri: string }
}

function Providers({ providers, uris }: ProvidersProps) {
  const open = useDialog()
  const add = (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => open({ kind: 'create-provider' })}>
      {t('Add provider')}
    </Button>
  )
  return (
    <div className={c('section')}>
      {providers.length === 0 ? (
        <EmptyState icon={<KeyIcon />} title={t('No provider yet.')} action={add}>
          {t('Any provider that supports OpenID Connect can be used.')}
        </EmptyState>
      ) : (
        <>
          <div className={c('actions')}>{add}</div>
          <ul className={c('list')} aria-label={t('Providers')}>
            {providers.map((provider) => (
              <ProviderItem key={provider.id} provider={provider} />
            ))}
          </ul>
        </>
      )}
      <div className={c('register')}>
        <div>
          <h3 className={c('subheading')}>{t('Register Neptune with the provider')}</h3>
          <p className={c('muted')}>
            {t(
              'Set up Neptune there as a web client with a secret, with the scopes openid, email and profile, and these addresses.',
            )}
          </p>
        </div>
        <CopyField label={t('Redirect URI')} value={uris.redirect_uri} />
        <CopyField label={t('Post-logout redirect URI')} value={uris.post_logout_redirect_uri} />
        <p className={c('muted')}>{t('Step by step, in the documentation:')}</p>
        <ul className={c('guides')}>
          {guides.map(([name, page]) => (
            <li key={page}>{tNodes('{name}: {page}', { name, page: <code>docs/operating/single-sign-on-{page}.md</code> })}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}
