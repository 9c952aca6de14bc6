import type { Access } from '@neptune/contract'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '../api/api-error.ts'
import { CallerContext } from '../api/caller.ts'
import { Queries } from '../api/query-client.tsx'
import type { Visit } from '../api/visit.ts'
import { Button } from '../components/button.tsx'
import { CardLayout } from '../components/card-layout.tsx'
import { ErrorState } from '../components/error-state.tsx'
import { RefreshIcon } from '../components/icons.tsx'
import { ToastProvider } from '../components/toast.tsx'
import { useAccess } from '../features/access/access-queries.ts'
import { announce } from '../lib/announce.ts'
import { t } from '../words/t.ts'
import { AccessDirectory } from './access-directory.tsx'
import { AccessFile } from './access-file.tsx'
import { CardNote, CardPage } from './card-page.tsx'
import { CardPending } from './page-states.tsx'

interface AccessViewProps {
  visit: Visit
  /** The code was entered just now; after a reload it is not. */
  isNew: boolean
  /** What stands above all else. */
  notice?: ReactNode
}

/** What a link opens. It is forgotten with the visit: nothing of it stays when the link is closed. */
export const AccessView = ({ visit, isNew, notice }: AccessViewProps) => (
  <CallerContext value={visit}>
    <Queries>
      <ToastProvider>
        <Shared {...{ visit, isNew, notice }} />
      </ToastProvider>
    </Queries>
  </CallerContext>
)

function Shared({ visit, isNew, notice }: AccessViewProps) {
  const { data, error, refetch } = useAccess()
  useArrivalAt(isNew ? data : undefined)
  if (error instanceof ApiError && error.status === 404) return <Gone onRetry={() => void refetch()} />
  // Who is not known any more is shown the way in, by the visit itself.
  if (error && !data && !(error instanceof ApiError && error.status === 401)) {
    return (
      <CardLayout>
        <h1 className="sr-only">Neptune</h1>
        <ErrorState
          title={t('The shared files did not load.')}
          detail={error.message}
          requestId={error instanceof ApiError ? error.requestId : undefined}
          onRetry={() => void refetch()}
        />
      </CardLayout>
    )
  }
  if (!data) return <CardPending />
  if (data.type === 'LINK_FILE') return <AccessFile access={data} startsByItself={isNew} notice={notice} />
  return <AccessDirectory access={data} visit={visit} notice={notice} />
}

/** The form went away with the focus in it: reading goes on at the top of what it opened. */
function useArrivalAt(access: Access | undefined) {
  const isDone = useRef(false)
  useEffect(() => {
    if (!access || isDone.current) return
    isDone.current = true
    document.getElementById('main')?.focus({ preventScroll: true })
    announce(t('Access granted. {name}', { name: access.name }))
  }, [access])
}

/** It may come back: what is in the trash can be restored, and the page goes on asking. */
const Gone = ({ onRetry }: { onRetry: () => void }) => (
  <CardPage title={t('This is no longer available.')}>
    <CardNote>
      <p>{t('The shared file or directory was removed. Ask the person who shared it with you.')}</p>
      <p>{t('If it’s restored, it appears here automatically.')}</p>
    </CardNote>
    <Button icon={<RefreshIcon />} onClick={onRetry}>
      {t('Check again')}
    </Button>
  </CardPage>
)
