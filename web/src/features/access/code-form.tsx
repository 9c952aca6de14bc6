import { api, errors, type LinkAsk, type LinkType, normalCode } from '@neptune/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { Refusal } from '../../api/refusal.tsx'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { PasswordField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../words/t.ts'
import css from './access.module.css'
import { codeFault } from './code-fault.ts'

const c = classNames(css)

/** Why somebody is still outside. What is wrong with the code itself stands under it. */
type Outcome = { kind: 'wrong'; message: string } | { kind: 'expired' } | { kind: 'refused'; error: ApiError }

interface CodeFormProps {
  accessKey: string
  /** Undefined while nobody knows yet. */
  type: LinkType | undefined
  /** They were inside until just now. */
  isClosed: boolean
  /** A code is on its way: what comes after it may be fetched. */
  onSend: () => void
  onEnter: (token: string) => void
  onAsk: (wants: LinkAsk['wants']) => void
}

export function CodeForm({ accessKey, type, isClosed, onSend, onEnter, onAsk }: CodeFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome & { at: number }>()

  useEffect(() => field.current?.focus(), [])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const at = event.timeStamp
    const typed = field.current?.value ?? ''
    const fault = codeFault(typed)
    if (fault !== undefined) {
      setOutcome({ kind: 'wrong', message: fault, at })
      return field.current?.focus()
    }
    setBusy(true)
    onSend()
    try {
      const { data } = await call(api.link.verify, { body: { accessKey, accessCode: normalCode(typed) } })
      if (data.token !== null) return onEnter(data.token)
      setOutcome({ ...(data.expired ? { kind: 'expired' } : { kind: 'wrong', message: t(noMatch) }), at })
      field.current?.select()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setOutcome({ kind: 'refused', error, at })
    } finally {
      setBusy(false)
    }
    field.current?.focus()
  }

  const isExpired = outcome?.kind === 'expired'
  const wrong = outcome?.kind === 'wrong' ? outcome.message : undefined
  return (
    <form className={c('form')} noValidate onSubmit={(event) => void submit(event)}>
      {!outcome && isClosed && <FormError title={t(errors['link.closed'].message)} announce="alert" />}
      {isExpired && <FormError attempt={outcome.at} title={t(expired)} announce="alert" />}
      {outcome?.kind === 'refused' && <Refusal key={outcome.at} error={outcome.error} />}
      <PasswordField
        ref={field}
        label={t('Access code')}
        hideLabel
        name="accessCode"
        required
        placeholder={t('Access code')}
        autoComplete="off"
        autoCapitalize="characters"
        hint={wrong === undefined && t('12 letters and digits; dashes do not matter.')}
        error={wrong}
      />
      {/* The focus is in the field already, so what is new under it would not be read out. */}
      {outcome && wrong !== undefined && (
        <p key={outcome.at} role="alert" className="sr-only">
          {wrong}
        </p>
      )}
      {type === undefined ? (
        <Skeleton height="var(--control)" label={t('Checking the link')} />
      ) : (
        <Button type="submit" variant="primary" busy={isBusy}>
          {type === 'LINK_FILE' ? t('Access File') : t('Access Directory')}
        </Button>
      )}
      <p className={c('asks')}>
        {isExpired && t('Out of time?')}
        {!isExpired && !isClosed && t('Lost the code?')}
        {(isExpired || isClosed) && <AskButton onAsk={() => onAsk('time')}>{t('Ask for more time')}</AskButton>}
        {!isExpired && <AskButton onAsk={() => onAsk('code')}>{t('Ask for a new code')}</AskButton>}
      </p>
    </form>
  )
}

const noMatch = 'That code does not match. Check it, or ask the sender for a new one.'

/** To the letter as the specification has it. */
const expired = 'This link has expired, please contact your administrator to create a new link.'

const AskButton = ({ onAsk, children }: { onAsk: () => void; children: string }) => (
  <button type="button" className={c('link')} onClick={onAsk}>
    {children}
  </button>
)
