import type { LinkRow } from '@neptune/contract'
import { describeFailure } from '../../../api/form-errors.ts'
import { classNames } from '../../../components/class-names.ts'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { resetLink } from '../../../features/link/link-queries.ts'
import { isOwnerReason, needsNewOwner, summarizeLink } from '../../../features/link/link-texts.ts'
import { useShowReadyLink } from '../../../features/link/ready-link.ts'
import { useLinkChange } from '../../../features/link/use-link-change.ts'
import { t } from '../../../i18n/t.ts'
import css from '../link-dialogs.module.css'
import { StateNote } from './state-note.tsx'
import { ReservationRenewedError, useReservation } from './use-reservation.ts'

const c = classNames(css)

const failureTitle = 'The access code was not reset.'
const renewedMessage = 'The code shown before can no longer be used. Here’s a new one. Press Reset Link to use it.'

export function ResetLinkDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const { key, name } = link
  const reserved = useReservation({ accessKey: key })
  const showReady = useShowReadyLink()
  const reset = useLinkChange(
    () =>
      reserved.submit(async ({ accessCode }) => ({
        link: await resetLink({ accessKey: key, accessCode }),
        accessCode,
        isReset: true,
      })),
    {
      onSuccess: (ready) => {
        showReady(ready)
        onClose()
      },
    },
  )
  const isRenewed = reset.error instanceof ReservationRenewedError
  const failure = describeFailure(reset.error, t(failureTitle)) ?? reserved.error
  return (
    <DialogFrame
      title={t('Reset Shareable Link')}
      description={t(
        'The link to “{name}” gets a new access code. The old code stops working right away, and anyone who used it loses access.',
        {
          name,
        },
      )}
      confirmLabel={t('Reset Link')}
      action={reset}
      error={isRenewed ? t(renewedMessage) : failure}
      onConfirm={() => reset.run()}
      onClose={onClose}
    >
      <p className={c('hint')}>{summarizeLink(link)}</p>
      <CopyField
        label={t('Access code')}
        value={reserved.accessCode}
        placeholder={reserved.isFetching ? t('Generating') : t('None yet')}
        hint={t('Takes effect when you press Reset Link.')}
      />
      {needsNewOwner(link) && (
        <p className={c('hint')}>
          {t('You become its owner, because {name} can’t sign in or has no access.', { name: link.maker })}
        </p>
      )}
      {link.reasons?.some((reason) => !isOwnerReason(reason)) && <StateNote {...link} />}
    </DialogFrame>
  )
}
