import { ApiError } from '../api/api-error.ts'
import { Button } from '../components/button.tsx'
import { CardLayout } from '../components/card-layout.tsx'
import { classNames } from '../components/class-names.ts'
import { ErrorState } from '../components/error-state.tsx'
import { Layout } from '../components/layout.tsx'
import { Skeleton, useDelayed } from '../components/skeleton.tsx'
import { StaffHeader, StaffPage } from '../features/identity/staff-page.tsx'
import { ChunkFailed } from '../lib/lazy-page.tsx'
import { useArrival } from '../lib/page-title.ts'
import { t } from '../words/t.ts'
import css from './page-states.module.css'

const c = classNames(css)

interface Failure {
  error: unknown
  retry: () => void
}

/** A page inside the layout: its header is there at once. Only the page itself knows its title, so nothing is announced yet. */
export function PagePending() {
  useArrival()
  return (
    <>
      <StaffHeader />
      <Lines />
    </>
  )
}

export const PageFailed = (failure: Failure) => (
  <StaffPage>
    <Explanation {...failure} />
  </StaffPage>
)

/** The whole screen of someone signed in, while the session or the layout is on its way. Mostly they are there at once. */
export const StaffPending = () =>
  useDelayed(150) ? (
    <Layout bar={<div className={c('bar')} />}>
      <h1 className="sr-only">{t('Loading')}</h1>
      <Lines />
    </Layout>
  ) : null

/** The same for a card: an empty frame would only flash by. */
export const CardPending = () =>
  useDelayed(150) ? (
    <CardLayout>
      <h1 className="sr-only">{t('Loading')}</h1>
      <Lines />
    </CardLayout>
  ) : null

export const CardFailed = (failure: Failure) => (
  <CardLayout>
    <h1 className="sr-only">Neptune</h1>
    <Explanation {...failure} />
  </CardLayout>
)

const Lines = () => (
  <div className={c('lines')} aria-busy="true">
    <Skeleton width="40%" height={20} label={t('Loading')} />
    <Skeleton />
    <Skeleton />
    <Skeleton width="70%" />
  </div>
)

/** What may pass by itself can be tried again; a fault of the page itself needs a fresh start. */
function Explanation({ error, retry }: Failure) {
  if (error instanceof ChunkFailed) {
    return <ErrorState title={t('This page did not load.')} detail={t('Check your connection and try again.')} onRetry={retry} />
  }
  if (error instanceof ApiError) {
    return (
      <ErrorState title={t('This page cannot be shown.')} detail={error.message} requestId={error.requestId} onRetry={retry} />
    )
  }
  return (
    <ErrorState
      title={t('Something went wrong on this page.')}
      detail={t('Reload the page to continue. Everything you saved is safe.')}
      action={<Button onClick={() => location.reload()}>{t('Reload')}</Button>}
    />
  )
}
