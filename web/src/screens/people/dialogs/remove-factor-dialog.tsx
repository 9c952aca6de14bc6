import type { UserRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { describeFailure } from '../../../api/form-errors.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useRequestReset } from '../../../features/factor/factor-queries.ts'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../../features/mail/mail-server-link.tsx'
import { settingsQuery } from '../../../features/settings/settings-queries.ts'
import { t } from '../../../i18n/t.ts'
import { formatQuantity } from '../../../lib/settings/quantities.ts'
import { formatWait } from '../../../lib/time/dates.ts'

/** Requests the removal of a user’s second factors. It takes effect later, so that the user can cancel it. */
export function RemoveFactorDialog({ user: { id, name }, onClose }: { user: UserRow; onClose: () => void }) {
  const hasMailServer = useHasMailServer()
  const minutes = useQuery(settingsQuery()).data?.security.values.factor_reset_minutes
  const request = useRequestReset()
  const toast = useToast()
  const confirm = () =>
    request.run(id, {
      onSuccess({ data: { due_at } }) {
        toast({ message: t('The second factor of {name} will be removed {when}.', { name, when: formatWait(due_at) }) })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={t('Remove the second factor of {name}?', { name })}
      description={t(
        'Do this only if you’re sure that {name} asked for it. All second factors of this account will be removed, including passkeys.',
        {
          name,
        },
      )}
      confirmLabel={t('Remove second factor')}
      danger
      action={request}
      error={describeFailure(request.error, t('The second factor was not removed.'))}
      onConfirm={confirm}
      onClose={onClose}
    >
      {minutes !== undefined && <p>{describeDelay(name, minutes)}</p>}
      {hasMailServer ? (
        // Without a delay, there is nothing to agree to.
        minutes !== 0 && <p>{t('{name} now gets an email with a link to agree to the removal or cancel it.', { name })}</p>
      ) : (
        <p>
          {t('No mail server is set up, so {name} gets no email about it.', { name })} <MailServerLink isInDialog />
        </p>
      )}
    </DialogFrame>
  )
}

const describeDelay = (name: string, minutes: number): string =>
  minutes === 0
    ? t('It takes effect immediately.')
    : t('It takes effect after {time}, or as soon as {name} agrees.', { name, time: formatQuantity('minutes', minutes) })
