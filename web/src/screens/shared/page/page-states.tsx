import { ApiError } from '../../../api/api-error.ts'
import { classNames } from '../../../components/class-names.ts'
import { ErrorState } from '../../../components/feedback/error-state.tsx'
import { Skeleton, useDelayed } from '../../../components/feedback/skeleton.tsx'
import { Button } from '../../../components/form/button.tsx'
import { CardLayout } from '../../../components/layout/card-layout.tsx'
import { Layout } from '../../../components/layout/layout.tsx'
import { t } from '../../../i18n/t.ts'
import { productName, useBrand } from '../../../lib/brand.ts'
import { ChunkLoadError } from '../../../lib/page/lazy-page.tsx'
import { useFocusOnNavigation } from '../../../lib/page/page-title.ts'
import css from './page-states.module.css'
import { StaffHeader, StaffPage } from './staff-page.tsx'

const c = classNames(css)

interface Failure {
  error: unknown
  retry: () => void
}

/** Shows the header while a page loads. The page's title is not known yet, so nothing is announced. */
export function PagePending() {
  useFocusOnNavigation()
  return (
    <>
      <StaffHeader />
      <SkeletonLines />
    </>
  )
}

export const PageFailed = (failure: Failure) => (
  <StaffPage>
    <FailureState {...failure} />
  </StaffPage>
)

/** The staff screen while the session or the layout loads. Delayed, because both are usually there at once. */
export const StaffPending = () =>
  useDelayed(150) ? (
    <Layout bar={<div className={c('bar')} />}>
      <h1 className="sr-only">{t('Loading')}</h1>
      <SkeletonLines />
    </Layout>
  ) : null

/** A card while its page loads. Delayed, so that an empty card does not flash. */
export const CardPending = () =>
  useDelayed(150) ? (
    <CardLayout isLoading>
      <h1 className="sr-only">{t('Loading')}</h1>
      <SkeletonLines />
    </CardLayout>
  ) : null

export function CardFailed(failure: Failure) {
  const { name } = useBrand()
  return (
    <CardLayout>
      <h1 className="sr-only">{name ?? productName}</h1>
      <FailureState {...failure} />
    </CardLayout>
  )
}

const SkeletonLines = () => (
  <div className={c('lines')} aria-busy="true">
    <Skeleton width="40%" height={20} label={t('Loading')} />
    <Skeleton />
    <Skeleton />
    <Skeleton width="70%" />
  </div>
)

/** Offers to retry temporary failures. An error in the page itself needs a reload. */
function FailureState({ error, retry }: Failure) {
  if (error instanceof ChunkLoadError) {
    return <ErrorState title={t('This page did not load.')} detail={t('Check your connection and try again.')} onRetry={retry} />
  }
  if (error instanceof ApiError) {
    return (
      <ErrorState title={t('This page can’t be shown.')} detail={error.message} requestId={error.requestId} onRetry={retry} />
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
