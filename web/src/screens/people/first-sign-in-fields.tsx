import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { ChoiceField } from '../../components/form/choice-field.tsx'
import { PasswordField } from '../../components/form/field.tsx'
import { mailWayQuery } from '../../features/mail/mail-queries.ts'
import { t } from '../../i18n/t.ts'
import { getPasswordHelp } from '../../lib/password-hint.ts'

/** How a new user gets their password. */
export type FirstSignIn = 'password' | 'invite'

interface FirstSignInFieldsProps {
  start: FirstSignIn
  password: Pick<ComponentProps<typeof PasswordField>, 'name' | 'error' | 'onChange'> & { value: string }
  onChange: (start: FirstSignIn) => void
}

/**
 * The password of a new user, or the choice to invite them. The password stays in its place when they are invited, so that nothing moves
 * under the pointer.
 */
export function FirstSignInFields({ start, password, onChange }: FirstSignInFieldsProps) {
  const hasMailServer = useQuery(mailWayQuery()).data !== 'files'
  const isInvited = start === 'invite'
  const help = isInvited ? { hint: t('They choose it themselves.') } : getPasswordHelp(password.value, password.error)
  return (
    <>
      <PasswordField
        label={t('Password')}
        required={!isInvited}
        disabled={isInvited}
        autoComplete="new-password"
        {...password}
        {...help}
      />
      <ChoiceField
        label={t('First sign-in')}
        name="start"
        choices={[
          {
            value: 'password',
            label: t('Set a password now'),
            hint: t('They can sign in right away. No email is sent: give them the password yourself.'),
          },
          {
            value: 'invite',
            label: hasMailServer ? t('Send an invitation by email') : t('Create an invitation link'),
            hint: hasMailServer
              ? t('They get a link to choose a password. It works once, for 7 days.')
              : t('No mail server is set up, so you get the link and send it yourself. It works once, for 7 days.'),
          },
        ]}
        value={start}
        onChange={onChange}
      />
    </>
  )
}
