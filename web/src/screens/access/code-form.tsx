import { api, type LinkAsk, type LinkType, normalizeCode, type Reply } from '@neptune/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import type { VisitEnd } from '../../api/visit.ts'
import { classNames } from '../../components/class-names.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { PasswordField } from '../../components/form/field.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import css from './access.module.css'
import { findCodeFault } from './code-fault.ts'

const c = classNames(css)

/** Why the code didn’t open the link. Only `wrong` is shown under the field. */
type Failure = { kind: 'wrong'; message: string } | { kind: 'expired' } | { kind: 'paused' } | { kind: 'error'; error: Error }

interface CodeFormProps {
  accessKey: string
  /** Undefined while loading. */
  type: LinkType | undefined
  /** How the recipient’s access ended, if they had any. */
  ended: VisitEnd | undefined
  /** The files whose upload had not finished then. */
  unsentFiles: readonly string[]
  /** Called when a code is sent to be verified, so that the next screen can be preloaded. */
  onSend: () => void
  onEnter: (token: string) => void
  onAsk: (wants: LinkAsk['wants']) => void
}

export function CodeForm({ accessKey, type, ended, unsentFiles, onSend, onEnter, onAsk }: CodeFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<Failure & { submittedAt: number }>()

  useEffect(() => field.current?.focus(), [])

  const enter = useAction(
    async (accessCode: string) => {
      const { data } = await call(api.access.verify, { body: { accessKey, accessCode } })
      if (data.token === null) throw new CodeRejectedError(data)
      return data.token
    },
    { onSuccess: onEnter },
  )

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (enter.isLocked()) return
    const submittedAt = event.timeStamp
    const typed = field.current?.value ?? ''
    const fault = findCodeFault(typed, accessKey)
    if (fault !== undefined) {
      setFailure({ kind: 'wrong', message: fault, submittedAt })
      return field.current?.focus()
    }
    onSend()
    const onError = (error: Error) => {
      setFailure({ ...toFailure(error), submittedAt })
      if (error instanceof CodeRejectedError) field.current?.select()
      field.current?.focus()
    }
    enter.run(normalizeCode(typed), { onError })
  }

  const isExpired = failure ? failure.kind === 'expired' : ended === 'expired'
  const isPaused = failure ? failure.kind === 'paused' : ended === 'paused'
  const isClosed = ended === 'closed'
  const codeError = failure?.kind === 'wrong' ? failure.message : undefined
  return (
    <form className={c('form')} noValidate onSubmit={submit}>
      {!failure && isClosed && <FormError title={t(closedMessage)} announce="alert" />}
      {isExpired && <FormError attempt={failure?.submittedAt} title={t(expiredMessage)} announce="alert" />}
      {isPaused && <FormError attempt={failure?.submittedAt} title={t(pausedMessage)} announce="alert" />}
      {failure?.kind === 'error' && <RequestFailure key={failure.submittedAt} error={failure.error} />}
      {unsentFiles.length > 0 && <UnsentFiles names={unsentFiles} />}
      {isExpired && (
        <Button variant="primary" onClick={() => onAsk('time')}>
          {t('Ask for more time')}
        </Button>
      )}
      <PasswordField
        ref={field}
        label={t('Access code')}
        hideLabel
        name="accessCode"
        required
        placeholder={t('Access code')}
        autoComplete="off"
        autoCapitalize="characters"
        hint={codeError === undefined && t('12 letters and digits, such as ABCD-EFGH-1234. You can leave out the dashes.')}
        error={codeError}
      />
      {/* The field has the focus already, so screen readers would not announce a new description. */}
      {failure && codeError !== undefined && (
        <p key={failure.submittedAt} role="alert" className="sr-only">
          {codeError}
        </p>
      )}
      {type === undefined ? (
        <Skeleton height="var(--control)" label={t('Checking the link')} />
      ) : (
        <Button type="submit" variant={isExpired ? 'quiet' : 'primary'} busy={enter.isBusy}>
          {type === 'LINK_FILE' ? t('Access File') : t('Access Directory')}
        </Button>
      )}
      {!isPaused && !isExpired && (
        <p className={c('asks')}>
          {isClosed ? <AskButton onAsk={() => onAsk('time')}>{t('Ask for more time')}</AskButton> : t('Don’t have the code?')}
          <AskButton onAsk={() => onAsk('code')}>{t('Ask for a new code')}</AskButton>
        </p>
      )}
    </form>
  )
}

const maxUnsentShown = 5

/** Names the files that were not uploaded completely, so that nobody leaves the page without noticing. */
const UnsentFiles = ({ names }: { names: readonly string[] }) => (
  <div className={c('unsent')}>
    <p>{t('Not uploaded completely:')}</p>
    <ul>
      {names.slice(0, maxUnsentShown).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
        <li key={index}>{name}</li>
      ))}
      {names.length > maxUnsentShown && <li>{t('and {n} more', { n: names.length - maxUnsentShown })}</li>}
    </ul>
  </div>
)

/** Thrown when the server replies that the code doesn’t open the link. */
class CodeRejectedError extends Error {
  readonly reply: VerifyReply
  constructor(reply: VerifyReply) {
    super()
    this.reply = reply
  }
}

type VerifyReply = Reply<typeof api.access.verify>['data']

function toFailure(error: Error): Failure {
  if (!(error instanceof CodeRejectedError)) return { kind: 'error', error }
  if (error.reply.expired) return { kind: 'expired' }
  return error.reply.paused ? { kind: 'paused' } : { kind: 'wrong', message: t(wrongCodeMessage) }
}

const wrongCodeMessage = 'That code doesn’t match. Check it, or ask the sender for a new one.'

const closedMessage =
  'Your access to this link has ended. Enter the access code again. If it no longer works, contact the sender.'
const pausedMessage = 'This link isn’t available right now. Try again later, or ask the person who sent it to you.'

/** The exact text from the specification. */
const expiredMessage = 'This link has expired, please contact your administrator to create a new link.'

const AskButton = ({ onAsk, children }: { onAsk: () => void; children: string }) => (
  <button type="button" className={c('link')} onClick={onAsk}>
    {children}
  </button>
)
