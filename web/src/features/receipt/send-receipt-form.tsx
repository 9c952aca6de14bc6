import { emailMax } from '@neptune/contract'
import { type FormEvent, useState } from 'react'
import { getFieldErrors } from '../../api/api-error.ts'
import type { Caller } from '../../api/caller.ts'
import { Refusal } from '../../api/refusal.tsx'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { TextField } from '../../components/form/field.tsx'
import { MailIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import css from './receipt.module.css'
import { useSendReceipt } from './receipt-queries.ts'

const c = classNames(css)

/** Sends the receipt by email. The address is used only for this email. */
export function SendReceiptForm({ id, caller }: { id: string; caller: Caller }) {
  const [email, setEmail] = useState('')
  const [isMissing, setMissing] = useState(false)
  const send = useSendReceipt(caller)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(!email.trim())
    send.reset()
    if (email.trim()) send.run({ id, email: email.trim() })
  }
  const fault = isMissing ? t('Enter an email address.') : getFieldErrors(send.error)['email']
  return (
    <form noValidate className={c('send')} onSubmit={submit}>
      {send.error && !fault && <Refusal error={send.error} />}
      <div className={c('sendRow')}>
        <TextField
          label={t('E-mail address')}
          name="email"
          type="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={emailMax}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={fault}
        />
        <Button type="submit" icon={<MailIcon />} busy={send.isBusy}>
          {t('Send by email')}
        </Button>
      </div>
      <p role="status" className={c('muted')}>
        {send.result &&
          (send.result.way === 'files'
            ? t('This portal can’t send email yet. Download the receipt instead.')
            : t('The receipt is on its way to {email}.', { email: send.input?.email ?? '' }))}
      </p>
    </form>
  )
}
