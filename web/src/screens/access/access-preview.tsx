import { api } from '@neptune/contract'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { createVisit, useVisit } from '../../api/visit.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { useRestoreSession } from '../../features/identity/use-restore-session.ts'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'
import { CardFailed, CardPending } from '../shared/page/page-states.tsx'
import css from './access-page.module.css'
import { AccessView } from './access-view.tsx'

const c = classNames(css)

interface AccessPreviewProps {
  accessKey: string
  /** Shown to anyone who may not preview the link: not signed in, or without access to its company. */
  fallback: ReactNode
}

/** Lets staff view a link as its recipient does, without the access code. */
export function AccessPreview({ accessKey, fallback }: AccessPreviewProps) {
  const session = useSession()
  const restore = useRestoreSession()
  if (session.kind === 'signed-in') return <Preview accessKey={accessKey} fallback={fallback} />
  if (session.kind === 'signed-out') return fallback
  return restore.error ? <CardFailed {...restore} /> : <CardPending />
}

function Preview({ accessKey, fallback }: AccessPreviewProps) {
  const [visit] = useState(() => createVisit())
  const state = useVisit(visit)
  const [failure, setFailure] = useState<ApiError>()
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt runs the effect again.
  useEffect(() => {
    const controller = new AbortController()
    setFailure(undefined)
    call(api.link.preview, { params: { key: accessKey } }, { signal: controller.signal }).then(
      ({ data }) => visit.enter(data.token),
      (error) => {
        if (!controller.signal.aborted && error instanceof ApiError) setFailure(error)
      },
    )
    return () => controller.abort()
  }, [accessKey, visit, attempt])

  const retry = () => setAttempt(attempt + 1)
  if (failure?.status === 404 || failure?.status === 400) return fallback
  if (failure?.code === 'link.expired')
    return (
      <Unavailable accessKey={accessKey} title={t('This link can’t be opened.')}>
        {t('It has expired, or doesn’t work right now. Its details on the Links page say why.')}{' '}
        {t('Recipients see a message instead.')}
      </Unavailable>
    )
  if (failure) return <CardFailed error={failure} retry={retry} />
  if (state.kind === 'inside') return <AccessView key={state.token} visit={visit} isNew={false} notice={<PreviewNotice />} />
  if (state.kind !== 'outside')
    return (
      <Unavailable accessKey={accessKey} title={t('The preview has ended.')} onRetry={retry}>
        {t('It may have timed out, or the link was deleted, stopped working or got a new access code.')}
      </Unavailable>
    )
  return <CardPending />
}

const PreviewNotice = () => (
  <p className={c('previewNotice')}>
    {t('You’re viewing this link as its recipient. Your visit isn’t counted.')} <Link to={paths.links}>{t('Back to links')}</Link>
  </p>
)

interface UnavailableProps {
  accessKey: string
  title: string
  /** Why there is no preview. */
  children: ReactNode
  onRetry?: () => void
}

/** Says why the link isn’t previewed, and leads to its details. */
const Unavailable = ({ accessKey, title, children, onRetry }: UnavailableProps) => (
  <CardPage title={title}>
    <CardNote>
      <p>{children}</p>
    </CardNote>
    {onRetry && <Button onClick={onRetry}>{t('Check again')}</Button>}
    <Link to={`${paths.links}?${new URLSearchParams({ search: accessKey })}`}>{t('Back to links')}</Link>
  </CardPage>
)
