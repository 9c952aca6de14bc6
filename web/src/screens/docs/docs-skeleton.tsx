import { classNames } from '../../components/class-names.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { t } from '../../i18n/t.ts'
import css from './docs.module.css'

const c = classNames(css)

/** A placeholder for the filter and a few collapsed operations. */
export const DocsSkeleton = () => (
  <div className={c('content')}>
    <Skeleton height={60} label={t('Loading the API reference')} />
    <Skeleton height={48} />
    <Skeleton height={48} />
    <Skeleton height={48} />
  </div>
)
