import type { LinkAsk } from '@neptune/contract'
import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../api/request-failure.tsx'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { t } from '../../i18n/t.ts'
import { CardNote } from '../shared/page/card-page.tsx'
import css from './access.module.css'
import { AskField, useAskForm } from './use-ask-form.tsx'

const c = classNames(css)

interface AskFormProps {
  accessKey: string
  wants: LinkAsk['wants']
  onBack: () => void
}

/** Sends a request to the link’s owner, and says what happens next. The reply doesn’t reveal whether the link still exists. */
export function AskForm({ accessKey, wants, onBack }: AskFormProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isSent, setSent] = useState(false)
  const { ask, form } = useAskForm({ accessKey, wants, onAsked: () => setSent(true) })

  useEffect(() => field.current?.focus(), [])

  if (isSent) return <RequestSent wants={wants} onBack={onBack} />
  return (
    <form className={c('form')} {...form.form}>
      <p>
        {wants === 'time'
          ? t('We’ll ask the person who shared this to keep it open longer. Your code stays the same.')
          : t('We’ll ask the person who shared this for a new code. They’ll send it to you; it isn’t shown on this page.')}
      </p>
      {ask.error && <RequestFailure error={ask.error} />}
      <AskField ref={field} {...form.uncontrolledField('message')} />
      <Button type="submit" variant="primary" busy={ask.isBusy}>
        {wants === 'time' ? t('Ask for more time') : t('Ask for a new code')}
      </Button>
      <Button onClick={onBack}>{t('Back to the access code')}</Button>
    </form>
  )
}

const RequestSent = ({ wants, onBack }: Pick<AskFormProps, 'wants' | 'onBack'>) => (
  <>
    <CardNote>
      <p>{t('If the link exists, its owner has received your request.')}</p>
      <p>
        {wants === 'time'
          ? t('If they agree, the link opens again with the same code. Come back to this page and enter it.')
          : t('If they agree, they’ll send you a new code.')}
      </p>
      <p>{t('They’ll email the address that this link was sent to, or contact you the way you asked.')}</p>
    </CardNote>
    <Button onClick={onBack}>{t('Back to the access code')}</Button>
  </>
)
