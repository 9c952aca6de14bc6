import type { NewsRow } from '@neptune/contract'
import { Link } from 'react-router'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { Badge } from '../../components/feedback/badge.tsx'
import { CheckIcon, DownloadIcon, UploadIcon } from '../../components/icons.tsx'
import { Panel, PanelNote } from '../../components/layout/panel.tsx'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import css from './news.module.css'

const c = classNames(css)

/** What recipients did, newest first. Marks what happened since the user’s last visit. */
export const News = ({ rows }: { rows: readonly NewsRow[] }) => (
  <Panel title={t('News from recipients')} more={<Link to={paths.activity}>{t('Show all activity')}</Link>}>
    {rows.length === 0 ? (
      <PanelNote>{t('You’ll see here what recipients upload and download.')}</PanelNote>
    ) : (
      <ul className={c('rows')}>
        {rows.map((row) => (
          <NewsItem key={row.id} {...row} />
        ))}
      </ul>
    )}
  </Panel>
)

const icons = { uploaded: UploadIcon, downloaded: DownloadIcon, receipt: CheckIcon }

function NewsItem(row: NewsRow) {
  const { kind, at, is_new, name, target, sent_to, client, receipt } = row
  const Icon = icons[kind]
  // Leaves out the name of the link if it is that of the file or directory, which the title already shows.
  const origin = [name === target ? '' : target, client]
  return (
    <li className={c('row')}>
      <Icon />
      <div className={c('text')}>
        <p className={c('title')}>
          <Link to={getPagePath(row)}>{describeNews(row)}</Link>
          {is_new && <Badge tone="accent">{t('New')}</Badge>}
        </p>
        <p className={c('details')}>{origin.filter(Boolean).join(' · ')}</p>
        <p className={c('details')}>
          <Age instant={at} short />
          {receipt && kind === 'uploaded' && (
            <>
              {' · '}
              <Link to={paths.receipt(receipt)}>{t('Receipt')}</Link>
            </>
          )}
          {sent_to && ` · ${t('link for {email}', { email: sent_to })}`}
        </p>
      </div>
    </li>
  )
}

function describeNews({ kind, files, name }: NewsRow): string {
  if (kind === 'receipt') return t('Got a receipt for {n} files', { n: files })
  if (kind === 'downloaded') return t('Downloaded “{name}”', { name: name ?? t('Unknown') })
  return files === 1 && name ? t('Uploaded “{name}”', { name }) : t('Uploaded {n} files', { n: files })
}

/** Returns the path of the page that a row links to: the newest files of the directory, the receipt, or the link. */
function getPagePath({ kind, directory_id, receipt, link }: NewsRow): string {
  if (kind === 'uploaded') return `${paths.directory(directory_id)}?sort=-created_at`
  return receipt ? paths.receipt(receipt) : `${paths.links}?${new URLSearchParams({ search: link })}`
}
