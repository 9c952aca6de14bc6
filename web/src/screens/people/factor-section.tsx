import type { UserDetails } from '@neptune/contract'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { useCancelReset } from '../../features/factor/factor-queries.ts'
import { t } from '../../i18n/t.ts'
import { formatDateTimeWithZone } from '../../lib/time/dates.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { PageSection } from '../shared/page/page-section.tsx'

/** For admins: whether a user has a second factor, and its removal if they have lost it. */
export function FactorSection({ user }: { user: UserDetails }) {
  const open = useDialog()
  return (
    <PageSection
      name={t('Second factor')}
      note={describeFactor(user)}
      action={
        user.factor_reset_at ? (
          <CancelButton user={user} />
        ) : (
          user.has_second_factor && (
            <Button onClick={() => open({ kind: 'remove-factor', user })}>{t('Remove second factor')}</Button>
          )
        )
      }
    />
  )
}

function describeFactor({ name, has_second_factor, factor_reset_at }: UserDetails): string {
  if (!has_second_factor) return t('{name} hasn’t set up a second factor.', { name })
  if (factor_reset_at)
    return t('It will be removed on {time}, or as soon as {name} agrees.', {
      name,
      time: formatDateTimeWithZone(factor_reset_at),
    })
  return t('{name} has set up a second factor.', { name })
}

function CancelButton({ user: { id } }: { user: UserDetails }) {
  const cancel = useCancelReset()
  const toast = useToast()
  const run = () =>
    cancel.run(id, {
      onSuccess: () => toast({ message: t('Cancelled the removal.') }),
      onError: ({ message }) => toast({ message }),
    })
  return (
    <Button busy={cancel.isBusy} onClick={run}>
      {t('Cancel removal')}
    </Button>
  )
}
