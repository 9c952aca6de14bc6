import { emailMax } from '@neptune/contract'
import type { Caller } from '../../api/caller.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useForm } from '../../api/use-form.ts'
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
  const send = useSendReceipt(caller)
  const form = useForm({
    initial: { email: '' },
    action: send,
    validate: ({ email }) => (email.trim() ? {} : { email: t('Enter an email address.') }),
    submit: ({ email }) => send.run({ id, email: email.trim() }),
  })
  return (
    <form className={c('send')} {...form.form}>
      {form.failure && <RequestFailure error={form.failure} />}
      <div className={c('sendRow')}>
        <TextField
          label={t('E-mail address')}
          type="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={emailMax}
          {...form.field('email')}
        />
        <Button type="submit" icon={<MailIcon />} busy={send.isBusy}>
          {t('Send by email')}
        </Button>
      </div>
      <p role="status" className={c('muted')}>
        {send.result &&
          (send.result.way === 'files'
            ? t('This portal can’t send email yet. Print the receipt or save it as PDF instead.')
            : t('The receipt is on its way to {email}.', { email: send.input?.email ?? '' }))}
      </p>
    </form>
  )
}
