import type { Access } from '@neptune/contract'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { CallerContext } from '../../api/caller.ts'
import { QueryProvider } from '../../api/query-provider.tsx'
import { useLive } from '../../api/use-live.ts'
import type { Visit } from '../../api/visit.ts'
import { RefreshIcon } from '../../components/entry-icons.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { ToastProvider } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { CardLayout } from '../../components/layout/card-layout.tsx'
import { t } from '../../i18n/t.ts'
import { BrandContext, productName, useBrand } from '../../lib/brand.ts'
import { announce } from '../../lib/page/announce.ts'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'
import { CardPending } from '../shared/page/page-states.tsx'
import { AccessDirectory } from './access-directory.tsx'
import { AccessFile } from './access-file.tsx'
import { useAccess } from './access-queries.ts'
import { getSharedName } from './shared-facts.tsx'

interface AccessViewProps {
  visit: Visit
  /** Whether the code was just entered. False after a reload. */
  isNew: boolean
  /** Shown above everything else. */
  notice?: ReactNode
}

/** Shows what a link shares. The query cache belongs to the visit, so no data remains once the link is closed. */
export const AccessView = ({ visit, isNew, notice }: AccessViewProps) => (
  <CallerContext value={visit}>
    <QueryProvider>
      <ToastProvider>
        <Branded>
          <SharedContent {...{ visit, isNew, notice }} />
        </Branded>
      </ToastProvider>
    </QueryProvider>
  </CallerContext>
)

/** Shows the brand of the company that shares the files, if it has one. Until the code is entered, the company stays secret. */
const Branded = ({ children }: { children: ReactNode }) => (
  <BrandContext value={useAccess().data?.brand ?? undefined}>{children}</BrandContext>
)

function SharedContent({ visit, isNew, notice }: AccessViewProps) {
  const { name } = useBrand()
  const { data, error, refetch } = useAccess()
  useLive(visit.id)
  useAnnounceArrival(isNew ? data : undefined)
  useEffect(() => {
    if (data) visit.setExpiry(data.expiry)
  }, [data, visit])
  if (error instanceof ApiError && error.status === 404) return <ContentUnavailable onRetry={() => void refetch()} />
  // A 401 ends the visit, which replaces this view.
  if (error && !data && !(error instanceof ApiError && error.status === 401)) {
    return (
      <CardLayout>
        <h1 className="sr-only">{name ?? productName}</h1>
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
  if (data.type === 'LINK_FILE' && data.file_id !== null)
    return <AccessFile access={data} startsDownload={isNew} notice={notice} />
  return <AccessDirectory access={data} visit={visit} notice={notice} />
}

/** Moves focus to the new content and announces it, because the focused form is gone. */
function useAnnounceArrival(access: Access | undefined) {
  const hasAnnounced = useRef(false)
  useEffect(() => {
    if (!access || hasAnnounced.current) return
    hasAnnounced.current = true
    document.getElementById('main')?.focus({ preventScroll: true })
    announce(t('Access granted. {name}', { name: getSharedName(access) }))
  }, [access])
}

/** Shown while the target is missing. It can be restored from the trash, so the page keeps polling. */
const ContentUnavailable = ({ onRetry }: { onRetry: () => void }) => (
  <CardPage title={t('This is no longer available.')}>
    <CardNote>
      <p>{t('What was shared with you was removed. Ask the person who shared it.')}</p>
      <p>{t('If it’s restored, it appears here automatically.')}</p>
    </CardNote>
    <Button icon={<RefreshIcon />} onClick={onRetry}>
      {t('Check again')}
    </Button>
  </CardPage>
)
