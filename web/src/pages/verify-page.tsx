import type { PublicKeys } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { Queries } from '../api/query-client.tsx'
import { Button } from '../components/button.tsx'
import { classNames } from '../components/class-names.ts'
import { DropArea } from '../components/drop-area.tsx'
import { ErrorState } from '../components/error-state.tsx'
import { KeyIcon, TextIcon } from '../components/icons.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { TextArea } from '../components/text-area.tsx'
import { checkReceipt, readKeys, type Verdict } from '../features/receipt/check-receipt.ts'
import { CheckResult } from '../features/receipt/check-result.tsx'
import { FileCheck } from '../features/receipt/file-check.tsx'
import { ReceiptDetails } from '../features/receipt/receipt-details.tsx'
import { keysQuery } from '../features/receipt/receipt-queries.ts'
import { formatDateAndZone } from '../lib/dates.ts'
import { usePageTitle } from '../lib/page-title.ts'
import { shortName } from '../lib/short-name.ts'
import { t } from '../words/t.ts'
import { tNodes } from '../words/t-nodes.tsx'
import { OpenPage } from './open-page.tsx'
import css from './verify-page.module.css'

const c = classNames(css)

/** No receipt is larger, nor any file of keys. */
const largest = 16 * 1024 * 1024

export function VerifyPage() {
  usePageTitle(t('Check a receipt'))
  return (
    <Queries>
      <OpenPage>
        <PageHeader
          name={t('Check a receipt')}
          purpose={t(
            'Find out whether a receipt is genuine and whether it lists a certain file. Everything happens in this browser: nothing you choose here is sent anywhere.',
          )}
        />
        <Check />
      </OpenPage>
    </Queries>
  )
}

/** Keys that somebody gave, by the name of their file. */
interface GivenKeys {
  name: string
  keys: PublicKeys
}

function Check() {
  const { state } = useLocation()
  const [chosen, setChosen] = useState(() => textIn(state))
  const [pasted, setPasted] = useState('')
  const [fault, setFault] = useState<string>()
  const [given, setGiven] = useState<GivenKeys>()
  const own = useQuery(keysQuery())
  const keys = given?.keys ?? own.data
  const text = chosen || pasted
  const verdict: Verdict | undefined = fault
    ? { kind: 'unreadable', why: fault }
    : text.trim() && keys
      ? checkReceipt(text, keys)
      : undefined

  const take = async (file: File) => {
    const read = await textOf(file)
    setFault(read === undefined ? t('“{name}” is not a receipt.', { name: shortName(file.name) }) : undefined)
    setChosen(read ?? '')
    setPasted('')
  }
  const paste = (text: string) => {
    setFault(undefined)
    setChosen('')
    setPasted(text)
  }
  return (
    <div className={c('check')}>
      <DropArea
        icon={<TextIcon />}
        hint={t('Drop a receipt here (the JSON file you downloaded).')}
        label={t('Choose receipt')}
        accept=".json,application/json"
        onFile={(file) => void take(file)}
      />
      <details className={c('more')}>
        <summary>{t('Paste the receipt instead')}</summary>
        <TextArea
          label={t('Receipt')}
          rows={6}
          spellCheck={false}
          value={pasted}
          onChange={({ target }) => paste(target.value)}
        />
      </details>
      <Keys given={given} onGiven={setGiven} />
      {own.isError && !given && (
        <ErrorState
          title={t('This portal’s key did not load.')}
          detail={own.error.message}
          requestId={own.error instanceof ApiError ? own.error.requestId : undefined}
          onRetry={() => void own.refetch()}
        />
      )}
      <div role="status" className={c('result')}>
        {verdict && <Result verdict={verdict} given={given} />}
      </div>
      {verdict?.kind === 'genuine' && (
        <>
          <section aria-labelledby="file" className={c('section')}>
            <h2 id="file" className={c('heading')}>
              {t('Check a file')}
            </h2>
            <FileCheck key={text} receipt={verdict.receipt} />
          </section>
          <section aria-labelledby="says" className={c('section')}>
            <h2 id="says" className={c('heading')}>
              {t('Receipt contents')}
            </h2>
            <ReceiptDetails receipt={verdict.receipt} />
          </section>
        </>
      )}
    </div>
  )
}

/** Nothing of a receipt is shown unless it is genuine. */
function Result({ verdict, given }: { verdict: Verdict; given: GivenKeys | undefined }) {
  if (verdict.kind === 'unreadable') {
    return (
      <CheckResult tone="unsure" title={t('Cannot be checked')}>
        {verdict.why}
      </CheckResult>
    )
  }
  if (verdict.kind === 'forged') {
    return (
      <CheckResult tone="bad" title={t('Not genuine: it was changed, or another portal issued it')}>
        {verdict.why} {!given && t('If another portal issued it, add that portal’s key above.')}
      </CheckResult>
    )
  }
  return (
    <CheckResult tone="good" title={t('Genuine')}>
      {given
        ? t('It was signed with the key in “{name}”. Trust it only if you trust the source of that file.', {
            name: given.name,
          })
        : t('This portal issued it on {date}, and it hasn’t been changed since.', {
            date: formatDateAndZone(verdict.receipt.issued_at),
          })}
    </CheckResult>
  )
}

function Keys({ given, onGiven }: { given: GivenKeys | undefined; onGiven: (keys: GivenKeys | undefined) => void }) {
  const [fault, setFault] = useState<string>()
  const take = async (file: File) => {
    const keys = readKeys((await textOf(file)) ?? '')
    setFault(
      keys
        ? undefined
        : t('“{name}” doesn’t contain a key. Choose the portal’s neptune-key.json.', { name: shortName(file.name) }),
    )
    if (keys) onGiven({ name: file.name, keys })
  }
  return (
    <details className={c('more')}>
      <summary>{t('The receipt is from another portal')}</summary>
      <p className={c('muted')}>
        {given
          ? t('Receipts are checked with the key from “{name}”.', { name: given.name })
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
        onFile={(file) => void take(file)}
      />
      <p role="status" className={c('fault')}>
        {fault}
      </p>
      {given && (
        <p>
          <Button onClick={() => onGiven(undefined)}>{t('Use this portal’s key')}</Button>
        </p>
      )}
    </details>
  )
}

/** Undefined: too large to be meant, or not readable. */
async function textOf(file: File): Promise<string | undefined> {
  return file.size > largest ? undefined : file.text().catch(() => undefined)
}

/** Whoever comes from a receipt brings it along. */
function textIn(state: unknown): string {
  const { receipt } = (state ?? {}) as Record<string, unknown>
  return typeof receipt === 'string' ? receipt : ''
}
