import type { LinkAsk } from '@neptune/contract'
import { describeFailure } from '../../../api/form-errors.ts'
import { classNames } from '../../../components/class-names.ts'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { RequestMessage } from '../../../features/link/recipient-requests.tsx'
import { useRespond } from '../../../features/link/use-respond.ts'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../../features/mail/mail-server-link.tsx'
import { t } from '../../../i18n/t.ts'
import css from '../link-dialogs.module.css'

const c = classNames(css)

/** Asks before a recipient’s request for a new code is granted, because the old code stops working for everyone. */
export function NewCodeDialog({ request, onClose }: { request: LinkAsk; onClose: () => void }) {
  const { name, email, message } = request
  const { answer, respond } = useRespond(request)
  const hasMailServer = useHasMailServer()
  const label = email && hasMailServer ? t('Send a new code') : t('Create a new code')
  return (
    <DialogFrame
      title={label}
      description={t(
        'The link to “{name}” gets a new access code. The old code stops working right away, and anyone who used it loses access.',
        { name },
      )}
      confirmLabel={label}
      action={answer}
      error={describeFailure(answer.error, t('The access code was not reset.'))}
      onConfirm={() => respond({ grant: true }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className={c('hint')}>
        {!hasMailServer
          ? t('No mail server is set up, so you’ll see the new code. Pass it on to the person who asked.')
          : email
            ? t(
                'The new code goes to {email}, the address that the link was sent to. If someone else asked for it, they won’t get it.',
                {
                  email,
                },
              )
            : t('The link was never emailed, so you’ll see the new code. Pass it on to the person who asked.')}{' '}
        {!hasMailServer && <MailServerLink isInDialog />}
      </p>
      <RequestMessage message={message} className={c('quote')} />
      {!request.owner_can_act && <p className={c('hint')}>{t('You become its owner.')}</p>}
    </DialogFrame>
  )
}
