import { api } from '@neptune/contract'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { createVisit, useVisit } from '../api/visit.ts'
import { Button } from '../components/button.tsx'
import { classNames } from '../components/class-names.ts'
import { useRestore } from '../features/identity/use-restore.ts'
import { paths } from '../paths.ts'
import { t } from '../words/t.ts'
import css from './access.module.css'
import { AccessView } from './access-view.tsx'
import { CardNote, CardPage } from './card-page.tsx'
import { CardFailed, CardPending } from './page-states.tsx'

const c = classNames(css)

interface AccessPreviewProps {
  accessKey: string
  /** For everybody who is no staff, or not of the link's company. */
  otherwise: ReactNode
}

/** Staff look at a link as its recipient does, without its code. */
export function AccessPreview({ accessKey, otherwise }: AccessPreviewProps) {
  const session = useSession()
  const restore = useRestore()
  if (session.kind === 'signed-in') return <Preview accessKey={accessKey} otherwise={otherwise} />
  if (session.kind === 'signed-out') return otherwise
  return restore.error ? <CardFailed {...restore} /> : <CardPending />
}

function Preview({ accessKey, otherwise }: AccessPreviewProps) {
  const [visit] = useState(() => createVisit())
  const state = useVisit(visit)
  const [refusal, setRefusal] = useState<ApiError>()
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of tries is not used, its change is what counts.
  useEffect(() => {
    const left = new AbortController()
    setRefusal(undefined)
    call(api.link.preview, { params: { key: accessKey } }, { signal: left.signal }).then(
      ({ data }) => visit.enter(data.token),
      (error) => {
        if (!left.signal.aborted && error instanceof ApiError) setRefusal(error)
      },
    )
    return () => left.abort()
  }, [accessKey, visit, tries])

  const again = () => setTries(tries + 1)
  if (refusal?.status === 404 || refusal?.status === 400) return otherwise
  if (refusal?.code === 'link.expired') return <Nothing why={t('It has expired, or its owner may no longer share it.')} />
  if (refusal) return <CardFailed error={refusal} retry={again} />
  if (state.kind === 'inside') return <AccessView key={state.token} visit={visit} isNew={false} notice={<Notice />} />
  if (state.kind === 'closed')
    return <Nothing why={t('It was closed in the meantime, or its access code was reset.')} onAgain={again} />
  return <CardPending />
}

const Notice = () => (
  <p className={c('preview')}>
    {t('You’re viewing this link as its recipient. Your visit isn’t counted.')} <Link to={paths.links}>{t('Back to links')}</Link>
  </p>
)

const Nothing = ({ why, onAgain }: { why: string; onAgain?: () => void }) => (
  <CardPage title={t('This link can’t be opened right now.')}>
    <CardNote>
      <p>
        {why} {t('Recipients see a message and can ask for more time or a new code.')}
      </p>
    </CardNote>
    {onAgain && <Button onClick={onAgain}>{t('Check again')}</Button>}
    <Link to={paths.links}>{t('Back to links')}</Link>
  </CardPage>
)
