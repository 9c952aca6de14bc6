import { useQueryClient } from '@tanstack/react-query'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { usePasswordState } from '../../features/factor/factor-queries.ts'
import { t } from '../../i18n/t.ts'
import { PageSection } from '../shared/page/page-section.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'

/** The height of the form, so that nothing moves when it appears. */
const formHeight = 215

/** Changes the password, or sets the first one. */
export function PasswordSection() {
  const toast = useToast()
  const queries = useQueryClient()
  const state = usePasswordState()
  if (state === 'off') return <PageSection name={t('Change password')} note={t('Your organisation has turned off passwords.')} />
  const isFirst = state === 'none'
  const onChanged = () => {
    toast({
      message: isFirst
        ? t('Your password was set. You’ve been signed out everywhere else.')
        : t('Your password was changed. You’ve been signed out everywhere else.'),
    })
    // A new password also revokes the API tokens.
    for (const name of ['sessions', 'tokens', 'factors']) void queries.invalidateQueries({ queryKey: [name] })
  }
  return (
    <PageSection
      name={isFirst ? t('Set password') : t('Change password')}
      note={
        isFirst
          ? t('You have no password yet. Setting one signs you out of every other browser and revokes your API tokens.')
          : t('Changing it signs you out of every other browser and revokes your API tokens.')
      }
    >
      {state === undefined ? (
        <Skeleton height={formHeight} label={t('Loading')} />
      ) : (
        <ChangePasswordForm isFirst={isFirst} onChanged={onChanged} />
      )}
    </PageSection>
  )
}
