import type { SignedReceipt } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { Queries } from '../api/query-client.tsx'
import { saveText } from '../api/save.ts'
import { useVisit, type Visit, visitOf } from '../api/visit.ts'
import { Button } from '../components/button.tsx'
import { classNames } from '../components/class-names.ts'
import { DownloadIcon } from '../components/icons.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { ReceiptDetails } from '../features/receipt/receipt-details.tsx'
import { receiptQuery } from '../features/receipt/receipt-queries.ts'
import { SendReceiptForm } from '../features/receipt/send-receipt-form.tsx'
import { formatDate } from '../lib/dates.ts'
import { usePageTitle } from '../lib/page-title.ts'
import { formatCount, formatSize } from '../lib/sizes.ts'
import { paths } from '../paths.ts'
import { CardNote, CardPage } from './card-page.tsx'
import { OpenPage } from './open-page.tsx'
import { CardFailed, CardPending } from './page-states.tsx'
import css from './receipt-page.module.css'

const c = classNames(css)

export function ReceiptPage() {
  const { id = '' } = useParams()
  return (
    <Queries>
      <Loaded key={id} id={id} />
    </Queries>
  )
}

function Loaded({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(receiptQuery(id))
  if (data) return <Shown signed={data} />
  if (!error) return <CardPending />
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return isMissing ? <NoReceipt /> : <CardFailed error={error} retry={() => void refetch()} />
}

function Shown({ signed }: { signed: SignedReceipt }) {
  const { receipt } = signed
  const visit = visitOf(receipt.link.key)
  const isInside = useVisit(visit).kind === 'inside'
  const text = JSON.stringify(signed, null, 2)
  usePageTitle('Receipt')
  return (
    <OpenPage>
      {isInside && (
        <p className={c('back')}>
          <Link to={paths.access(receipt.link.key)}>Back to {receipt.link.name}</Link>
        </p>
      )}
      <PageHeader
        name="Receipt"
        purpose={`Received: ${formatCount(receipt.total_files, 'file', 'files')}, ${formatSize(receipt.total_bytes)}, on ${formatDate(receipt.issued_at)}.`}
        action={
          <span className={c('actions')}>
            <Button onClick={() => window.print()}>Print</Button>
            <Button
              variant="primary"
              icon={<DownloadIcon />}
              onClick={() => saveText(text, `receipt-${receipt.id}.json`, 'application/json')}
            >
              Download receipt
            </Button>
          </span>
        }
      />
      {isInside && <Send id={receipt.id} visit={visit} />}
      <ReceiptDetails receipt={receipt} />
      <section className={c('section')}>
        <h2 className={c('heading')}>How to check it</h2>
        <p>
          The downloaded receipt is signed. Anybody can check, on any computer, that nothing in it was changed, and whether a file
          is one of those it names: see <Link to={paths.verify}>Check a receipt</Link>
          <span className={c('onPaper')}> at {receipt.server + paths.verify}</span>.
        </p>
        <p className={c('onScreen')}>
          <Link to={paths.verify} state={{ receipt: text }}>
            Check a file against this receipt
          </Link>
        </p>
      </section>
    </OpenPage>
  )
}

const Send = ({ id, visit }: { id: string; visit: Visit }) => (
  <section aria-labelledby="send" className={c('section', 'onScreen')}>
    <h2 id="send" className={c('heading')}>
      Send it to yourself
    </h2>
    <SendReceiptForm id={id} caller={visit} />
  </section>
)

const NoReceipt = () => (
  <CardPage title="There is no such receipt.">
    <CardNote>
      <p>Compare the address with the one you were given: it must be complete.</p>
    </CardNote>
  </CardPage>
)
