import type { SignedReceipt } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { downloadText } from '../../api/browser-download.ts'
import { QueryProvider } from '../../api/query-provider.tsx'
import { getVisit, useVisit, type Visit } from '../../api/visit.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { DownloadIcon } from '../../components/icons.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { ReceiptDetails } from '../../features/receipt/receipt-details.tsx'
import { receiptQuery } from '../../features/receipt/receipt-queries.ts'
import { SendReceiptForm } from '../../features/receipt/send-receipt-form.tsx'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { usePageTitle } from '../../lib/page/page-title.ts'
import { formatAmount } from '../../lib/sizes.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'
import { CardFailed, CardPending } from '../shared/page/page-states.tsx'
import { PublicPage } from './public-page.tsx'
import css from './receipt-page.module.css'

const c = classNames(css)

export function ReceiptPage() {
  const { id = '' } = useParams()
  return (
    <QueryProvider>
      <ReceiptLoader key={id} id={id} />
    </QueryProvider>
  )
}

function ReceiptLoader({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(receiptQuery(id))
  if (data) return <ReceiptView signed={data} />
  if (!error) return <CardPending />
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return isMissing ? <ReceiptNotFound /> : <CardFailed error={error} retry={() => void refetch()} />
}

function ReceiptView({ signed }: { signed: SignedReceipt }) {
  const { receipt } = signed
  const visit = getVisit(receipt.link.key)
  const isInside = useVisit(visit).kind === 'inside'
  const text = JSON.stringify(signed, null, 2)
  usePageTitle(t('Receipt'))
  return (
    <PublicPage>
      {isInside && (
        <p className={c('back')}>
          <Link to={paths.access(receipt.link.key)}>{t('Back to {name}', { name: receipt.link.name })}</Link>
        </p>
      )}
      <PageHeader
        name={t('Receipt')}
        purpose={t('Received: {amount}, on {date}.', {
          amount: formatAmount(receipt.total_files, receipt.total_bytes),
          date: formatDateTime(receipt.issued_at),
        })}
        action={
          <span className={c('actions')}>
            <Button variant="primary" onClick={() => window.print()}>
              {t('Print or save as PDF')}
            </Button>
          </span>
        }
      />
      {isInside && <SendSection id={receipt.id} visit={visit} />}
      <ReceiptDetails receipt={receipt} />
      <section className={c('section')}>
        <h2 className={c('heading')}>{t('How to check this receipt')}</h2>
        <p>
          {tNodes(
            'Keep the signed file together with the receipt. It isn’t for reading: with it, anyone can check that the receipt hasn’t been changed, and whether it lists a certain file. See {page}{address}.',
            {
              page: <Link to={paths.verify}>{t('Check a receipt')}</Link>,
              address: <span className={c('onPaper')}>{t(' at {address}', { address: receipt.server + paths.verify })}</span>,
            },
          )}
        </p>
        <p className={c('onScreen')}>
          <Button icon={<DownloadIcon />} onClick={() => downloadText(text, `receipt-${receipt.id}.json`, 'application/json')}>
            {t('Download signed file')}
          </Button>
        </p>
        <p className={c('onScreen')}>
          <Link to={paths.verify} state={{ receipt: text }}>
            {t('Check a file against this receipt')}
          </Link>
        </p>
      </section>
    </PublicPage>
  )
}

const SendSection = ({ id, visit }: { id: string; visit: Visit }) => (
  <section aria-labelledby="send" className={c('section', 'onScreen')}>
    <h2 id="send" className={c('heading')}>
      {t('Send it to yourself')}
    </h2>
    <SendReceiptForm id={id} caller={visit} />
  </section>
)

const ReceiptNotFound = () => (
  <CardPage title={t('Receipt not found.')}>
    <CardNote>
      <p>{t('Check that the address is complete.')}</p>
    </CardNote>
  </CardPage>
)
