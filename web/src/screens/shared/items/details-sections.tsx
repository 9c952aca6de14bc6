import type { ActivityFilters } from '@neptune/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { classNames } from '../../../components/class-names.ts'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { DrawerSection } from '../../../components/layout/drawer.tsx'
import { newestActivityQuery } from '../../../features/activity/activity-queries.ts'
import { getActivityPath } from '../../../features/activity/activity-texts.ts'
import { ActivityLines } from '../../../features/activity/recent-activity.tsx'
import { linksQuery } from '../../../features/link/link-queries.ts'
import { getStateName } from '../../../features/link/link-texts.ts'
import { t } from '../../../i18n/t.ts'
import { formatDateTime } from '../../../lib/time/dates.ts'
import { paths } from '../../../paths.ts'
import { useDialog } from '../dialogs/dialog.ts'
import css from './details.module.css'

const c = classNames(css)

const maxLinks = 5
const maxEntries = 6

/** Lists the links to a file or directory. Each opens the details of the link. */
export function ItemLinksSection(subject: { file: string } | { directory: string }) {
  const { data, isError } = useInfiniteQuery(linksQuery(subject))
  const open = useDialog()
  const links = data?.pages.flatMap((page) => page.data)
  return (
    <DrawerSection title={t('Links')}>
      {!links && (isError ? <p className={c('muted')}>{t('The links did not load.')}</p> : <Skeleton label={t('Loading')} />)}
      {links?.length === 0 && <p className={c('muted')}>{t('No links yet.')}</p>}
      <ul className={c('lines')}>
        {links?.slice(0, maxLinks).map((link) => (
          <li key={link.key} className={c('line')}>
            <div className={c('text')}>
              <button type="button" className={c('link')} onClick={() => open({ kind: 'link-details', link })}>
                {link.email ? t('For {email}', { email: link.email }) : t('Link by {name}', { name: link.maker })}
              </button>
              <p className={c('muted')}>{t('Until {date}', { date: formatDateTime(link.expiry) })}</p>
            </div>
            <span className={c('muted')}>{getStateName(link)}</span>
          </li>
        ))}
      </ul>
      {links && links.length > maxLinks && (
        <p className={c('more')}>
          <Link to={`${paths.links}?${new URLSearchParams({ ...subject })}`} className={c('link')}>
            {t('Show all links')}
          </Link>
        </p>
      )}
    </DrawerSection>
  )
}

interface ActivityProps {
  subject: Pick<ActivityFilters, 'file' | 'directory'>
  name: string
}

export function ItemActivitySection({ subject, name }: ActivityProps) {
  const { data, isError } = useQuery(newestActivityQuery(subject, maxEntries))
  const path = subject.file ? getActivityPath('file', subject.file) : getActivityPath('directory', subject.directory ?? '')
  return (
    <DrawerSection title={t('Recent activity')}>
      {data ? (
        <ActivityLines rows={data} />
      ) : isError ? (
        <p className={c('muted')}>{t('The activity did not load.')}</p>
      ) : (
        <Skeleton label={t('Loading')} />
      )}
      <p className={c('more')}>
        <Link to={path} state={{ name }} className={c('link')}>
          {t('Show all activity')}
        </Link>
      </p>
    </DrawerSection>
  )
}
