import type { PublicKeys } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { QueryProvider } from '../../api/query-provider.tsx'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { DropArea } from '../../components/form/drop-area.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import { KeyIcon, TextIcon } from '../../components/icons.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { checkReceipt, type ReceiptVerdict, readKeys } from '../../features/receipt/check-receipt.ts'
import { CheckResult } from '../../features/receipt/check-result.tsx'
import { FileCheck } from '../../features/receipt/file-check.tsx'
import { ReceiptDetails } from '../../features/receipt/receipt-details.tsx'
import { publicKeysQuery } from '../../features/receipt/receipt-queries.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { usePageTitle } from '../../lib/page/page-title.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatDateTimeWithZone } from '../../lib/time/dates.ts'
import { PublicPage } from './public-page.tsx'
import css from './verify-page.module.css'

const c = classNames(css)

/** Receipts and key files are never larger. */
const maxFileBytes = 16 * 1024 * 1024

export function VerifyPage() {
  usePageTitle(t('Check a receipt'))
  return (
    <QueryProvider>
      <PublicPage>
        <PageHeader
          name={t('Check a receipt')}
          purpose={t(
            'Find out whether a receipt is genuine and whether it lists a certain file. Everything happens in this browser: nothing you choose here is sent anywhere.',
          )}
        />
        <ReceiptCheck />
      </PublicPage>
    </QueryProvider>
  )
}

/** Keys from a file the user chose. */
interface ChosenKeys {
  name: string
  keys: PublicKeys
}

function ReceiptCheck() {
  const { state } = useLocation()
  const [fileText, setFileText] = useState(() => readReceipt(state))
  const [pastedText, setPastedText] = useState('')
  const [error, setError] = useState<string>()
  const [chosenKeys, setChosenKeys] = useState<ChosenKeys>()
  const portalKeys = useQuery(publicKeysQuery())
  const keys = chosenKeys?.keys ?? portalKeys.data
  const text = fileText || pastedText
  const verdict: ReceiptVerdict | undefined = error
    ? { kind: 'unreadable', reason: error }
    : text.trim() && keys
      ? checkReceipt(text, keys)
      : undefined

  const pickFile = async (file: File) => {
    const content = await readText(file)
    setError(content === undefined ? t('“{name}” is not a receipt.', { name: shortenName(file.name) }) : undefined)
    setFileText(content ?? '')
    setPastedText('')
  }
  const paste = (text: string) => {
    setError(undefined)
    setFileText('')
    setPastedText(text)
  }
  return (
    <div className={c('check')}>
      <DropArea
        icon={<TextIcon />}
        hint={t('Drop a receipt here (the JSON file you downloaded).')}
        label={t('Choose receipt')}
        accept=".json,application/json"
        onFile={(file) => void pickFile(file)}
      />
      <details className={c('more')}>
        <summary>{t('Paste the receipt instead')}</summary>
        <TextArea
          label={t('Receipt')}
          rows={6}
          spellCheck={false}
          value={pastedText}
          onChange={({ target }) => paste(target.value)}
        />
      </details>
      <KeySection chosenKeys={chosenKeys} onChosen={setChosenKeys} />
      {portalKeys.isError && !chosenKeys && (
        <ErrorState
          title={t('This portal’s key did not load.')}
          detail={portalKeys.error.message}
          requestId={portalKeys.error instanceof ApiError ? portalKeys.error.requestId : undefined}
          onRetry={() => void portalKeys.refetch()}
        />
      )}
      <div role="status" className={c('result')}>
        {verdict && <VerdictResult verdict={verdict} chosenKeys={chosenKeys} />}
      </div>
      {verdict?.kind === 'genuine' && (
        <>
          <section aria-labelledby="file" className={c('section')}>
            <h2 id="file" className={c('heading')}>
              {t('Check a file')}
            </h2>
            <FileCheck key={text} receipt={verdict.receipt} />
          </section>
          <section aria-labelledby="contents" className={c('section')}>
            <h2 id="contents" className={c('heading')}>
              {t('Receipt contents')}
            </h2>
            <ReceiptDetails receipt={verdict.receipt} />
          </section>
        </>
      )}
    </div>
  )
}

function VerdictResult({ verdict, chosenKeys }: { verdict: ReceiptVerdict; chosenKeys: ChosenKeys | undefined }) {
  if (verdict.kind === 'unreadable') {
    return (
      <CheckResult tone="unsure" title={t('Can’t be checked')}>
        {verdict.reason}
      </CheckResult>
    )
  }
  if (verdict.kind === 'forged') {
    return (
      <CheckResult tone="bad" title={t('Not genuine: it was changed, or another portal issued it')}>
        {verdict.reason} {!chosenKeys && t('If another portal issued it, add that portal’s key above.')}
      </CheckResult>
    )
  }
  return (
    <CheckResult tone="good" title={t('Genuine')}>
      {chosenKeys
        ? t('It was signed with the key in “{name}”. Trust it only if you trust the source of that file.', {
            name: chosenKeys.name,
          })
        : t('This portal issued it on {date}, and it hasn’t been changed since.', {
            date: formatDateTimeWithZone(verdict.receipt.issued_at),
          })}
    </CheckResult>
  )
}

function KeySection({
  chosenKeys,
  onChosen,
}: {
  chosenKeys: ChosenKeys | undefined
  onChosen: (keys: ChosenKeys | undefined) => void
}) {
  const [error, setError] = useState<string>()
  const pickFile = async (file: File) => {
    const keys = readKeys((await readText(file)) ?? '')
    setError(
      keys
        ? undefined
        : t('“{name}” doesn’t contain a key. Choose the portal’s neptune-key.json.', { name: shortenName(file.name) }),
    )
    if (keys) onChosen({ name: file.name, keys })
  }
  return (
    <details className={c('more')}>
      <summary>{t('Check a receipt from another portal')}</summary>
      <p className={c('muted')}>
        {chosenKeys
          ? t('Receipts are checked with the key from “{name}”.', { name: chosenKeys.name })
          : t('Receipts are checked with this portal’s key.')}{' '}
        {tNodes('Each portal publishes its key at {address}. Save that file, then add it here.', {
          address: <code>/.well-known/neptune-key.json</code>,
        })}
      </p>
      <DropArea
        icon={<KeyIcon />}
        hint={t('Drop that portal’s neptune-key.json here.')}
        label={t('Choose key')}
        accept=".json,application/json"
        onFile={(file) => void pickFile(file)}
      />
      <p role="status" className={c('error')}>
        {error}
      </p>
      {chosenKeys && (
        <p>
          <Button onClick={() => onChosen(undefined)}>{t('Use this portal’s key')}</Button>
        </p>
      )}
    </details>
  )
}

/** Returns undefined if the file is too large or unreadable. */
async function readText(file: File): Promise<string | undefined> {
  return file.size > maxFileBytes ? undefined : file.text().catch(() => undefined)
}

/** Returns the receipt that its page passed in the history state. */
function readReceipt(state: unknown): string {
  const { receipt } = (state ?? {}) as Record<string, unknown>
  return typeof receipt === 'string' ? receipt : ''
}
