import type { Receipt } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { formatSize } from '../../lib/sizes.ts'
import { formatDateTimeWithZone } from '../../lib/time/dates.ts'
import css from './receipt.module.css'

const c = classNames(css)

/** Shows the complete content of a receipt. */
export function ReceiptDetails({ receipt }: { receipt: Receipt }) {
  const { id, issued_at, server, received_by, company, link, files } = receipt
  const details = {
    ...(received_by && { [t('Received by')]: `${received_by.name}, ${received_by.company}` }),
    [t('Received for')]: company,
    [t('Directory')]: link.name,
    [t('Link')]: <code>{link.key}</code>,
    [t('Issued')]: <Time instant={issued_at} />,
    [t('Portal')]: server,
    [t('Receipt')]: <code>{id}</code>,
  }
  return (
    <div>
      <dl className={c('details')}>
        {Object.entries(details).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2 id="files" className={c('heading')}>
        {t('Files')}
      </h2>
      <ul aria-labelledby="files" className={c('files')}>
        {files.map(({ name, size, sha256, received_at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a receipt never changes, and two files may be alike
          <li key={index} className={c('file')}>
            <p className={c('name')}>{name}</p>
            <p className={c('muted')}>
              {tNodes('{size} · received {time}', { size: formatSize(size), time: <Time instant={received_at} /> })}
            </p>
            <p className={c('hash')}>
              SHA-256 <code>{sha256}</code>
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shows the time zone, because the receipt may be read elsewhere. */
const Time = ({ instant }: { instant: string }) => (
  <time dateTime={instant} title={instant}>
    {formatDateTimeWithZone(instant)}
  </time>
)
