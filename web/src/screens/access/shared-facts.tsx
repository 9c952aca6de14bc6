import type { Access } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { formatAmount, formatSize } from '../../lib/sizes.ts'
import { formatDateTime, formatDaysLeft } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/use-now.ts'
import css from './access.module.css'

const c = classNames(css)

/** Shows who shared the files, until when, and their number and size. */
export function SharedFacts({ access }: { access: Access }) {
  const { shared_by, client, expiry } = access
  return (
    <span className={c('facts')}>
      <span>{t('Shared by {person} · {company}', { person: shared_by, company: client })}</span>
      <span>
        <Expiry expiry={expiry} />
      </span>
      <span>{formatContentSize(access)}</span>
    </span>
  )
}

/** Returns whether the link shares several files, as a list without folders. */
export const sharesSeveralFiles = ({ type, file_id }: Access): boolean => type === 'LINK_FILE' && file_id === null

/** Returns the name of what is shared; for several files, their number. */
export const getSharedName = (access: Access): string =>
  sharesSeveralFiles(access) ? t('{n} files', { n: access.files }) : access.name

function formatContentSize({ type, files, size }: Access): string {
  if (type === 'LINK_FILE') return formatSize(size)
  return files === 0 ? t('No files yet') : formatAmount(files, size)
}

/** Shows the expiry in the reader’s time zone, and the time left. */
function Expiry({ expiry }: { expiry: string }) {
  const now = useNow()
  return tNodes('Until {date}, {wait}', {
    date: <time dateTime={expiry}>{formatDateTime(expiry)}</time>,
    wait: formatDaysLeft(expiry, now),
  })
}
