import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { DrawerSection } from '../../components/layout/drawer.tsx'
import { t } from '../../i18n/t.ts'
import { formatAmount } from '../../lib/sizes.ts'
import { paths } from '../../paths.ts'
import css from './receipt.module.css'
import { linkReceiptsQuery } from './receipt-queries.ts'

const c = classNames(css)

/** Lists the receipts issued for a link. Renders nothing if there are none. */
export function LinkReceipts({ linkKey }: { linkKey: string }) {
  const { data: receipts = [], error, refetch } = useQuery(linkReceiptsQuery(linkKey))
  if (error && receipts.length === 0) {
    return (
      <p role="alert" className={c('muted')}>
        {t('The receipts did not load.')}{' '}
        <button type="button" className={c('retry')} onClick={() => void refetch()}>
          {t('Try again')}
        </button>
      </p>
    )
  }
  if (receipts.length === 0) return null
  return (
    <DrawerSection title={t('Receipts')}>
      <ul aria-label={t('Receipts')} className={c('receipts')}>
        {receipts.map(({ id, issued_at, total_files, total_bytes, client }) => (
          <li key={id}>
            <Link to={paths.receipt(id)}>{formatAmount(total_files, total_bytes)}</Link>
            <span className={c('muted')}>
              <Age instant={issued_at} /> {client && t('· from {client}', { client })}
            </span>
          </li>
        ))}
      </ul>
    </DrawerSection>
  )
}
