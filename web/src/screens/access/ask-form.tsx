import { api, type LinkAsk } from '@neptune/contract'
import { useEffect, useRef } from 'react'
import { call } from '../../api/client.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import css from './access.module.css'

const c = classNames(css)

/** The server’s limit. */
const maxMessageLength = 200

interface AskFormProps {
  accessKey: string
  wants: LinkAsk['wants']
  onAsked: () => void
  onBack: () => void
}

/** Sends a request to the link’s owner. Neither this form nor the server reveals whether the link exists. */
export function AskForm({ accessKey, wants, onAsked, onBack }: AskFormProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const ask = useAction((message: string) => call(api.link.ask, { body: { accessKey, wants, ...(message && { message }) } }), {
    onSuccess: onAsked,
  })
  const form = useForm({
    initial: { message: '' },
    action: ask,
    submit: ({ message }) => ask.run(toSingleLine(message)),
    failureFocus: 'message',
  })

  useEffect(() => field.current?.focus(), [])

  return (
    <form className={c('form')} {...form.form}>
      <p>
        {wants === 'time'
          ? t('We’ll ask the person who shared this to keep it open longer. Your code stays the same.')
          : t('We’ll ask the person who shared this for a new code. They’ll send it to you; it isn’t shown on this page.')}
      </p>
      {ask.error && <RequestFailure error={ask.error} />}
      <TextArea
        ref={field}
        label={t('Who are you, and what do you need?')}
        hint={t('Optional, up to {n} characters.', { n: maxMessageLength })}
        rows={3}
        maxLength={maxMessageLength}
        {...form.uncontrolledField('message')}
      />
      <Button type="submit" variant="primary" busy={ask.isBusy}>
        {wants === 'time' ? t('Ask for more time') : t('Ask for a new code')}
      </Button>
      <Button onClick={onBack}>{t('Back to the access code')}</Button>
    </form>
  )
}

/** Replaces line breaks, tabs and control characters with spaces, because the server rejects them. */
const toSingleLine = (text: string) => text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim()
