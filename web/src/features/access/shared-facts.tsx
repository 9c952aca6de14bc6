import type { Access } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { formatDate, formatDaysLeft } from '../../lib/dates.ts'
import { formatCount, formatSize } from '../../lib/sizes.ts'
import { useNow } from '../../lib/use-now.ts'
import css from './access.module.css'

const c = classNames(css)

/** Who shared it, until when, and how much it is. */
export function SharedFacts({ access }: { access: Access }) {
  const { shared_by, client, expiry } = access
  return (
    <span className={c('facts')}>
      <span>
        Shared by {shared_by} · {client}
      </span>
      <span>
        <Until expiry={expiry} />
      </span>
      <span>{amountOf(access)}</span>
    </span>
  )
}

function amountOf({ type, files, size }: Access): string {
  if (type === 'LINK_FILE') return formatSize(size)
  return files === 0 ? 'No files yet' : `${formatCount(files, 'file', 'files')}, ${formatSize(size)}`
}

/** In the time of whoever looks at it, and how long that is from now. */
function Until({ expiry }: { expiry: string }) {
  const now = useNow()
  return (
    <>
      Until <time dateTime={expiry}>{formatDate(expiry)}</time>, {formatDaysLeft(expiry, now)}
    </>
  )
}
