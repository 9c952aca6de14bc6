import { type ComponentProps, useId } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { PasswordField } from '../../components/form/field.tsx'
import { useHasMailServer } from '../../features/mail/mail-queries.ts'
import { useHasPasswords } from '../../features/provider/provider-queries.ts'
import { t } from '../../i18n/t.ts'
import { getPasswordHelp } from '../../lib/password-hint.ts'
import css from './first-sign-in-fields.module.css'

const c = classNames(css)

/** How a new user gets their password. */
export type FirstSignIn = 'password' | 'invitation'

interface FirstSignInFieldsProps {
  start: FirstSignIn
  password: Pick<ComponentProps<typeof PasswordField>, 'name' | 'error' | 'onChange'> & { value: string }
  onChange: (start: FirstSignIn) => void
}

/**
 * The password of a new user, and a button to invite them instead. For an invitation, the password field is disabled rather than hidden, so
 * that nothing moves under the pointer. While passwords are turned off, people can only be invited.
 */
export function FirstSignInFields({ start, password, onChange }: FirstSignInFieldsProps) {
  const textId = useId()
  const hasMailServer = useHasMailServer()
  const hasPasswords = useHasPasswords()
  const isInvited = start === 'invitation'
  const invitedHint = hasPasswords ? t('They choose it themselves.') : t('Your organisation has turned off passwords.')
  const help = isInvited ? { hint: invitedHint } : getPasswordHelp(password.value, password.error)
  const inviteLabel = hasMailServer ? t('Send an invitation by email instead') : t('Create an invitation link instead')
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
      <div className={c('choice')}>
        <p id={textId} role="status">
          {isInvited
            ? describeInvitation(hasMailServer)
            : t('They can sign in right away. No email is sent: give them the password yourself.')}
        </p>
        {hasPasswords && (
          <Button aria-describedby={textId} onClick={() => onChange(isInvited ? 'password' : 'invitation')}>
            {isInvited ? t('Set a password now') : inviteLabel}
          </Button>
        )}
      </div>
    </>
  )
}

const describeInvitation = (hasMailServer: boolean) =>
  hasMailServer
    ? t('They get an email with a link to accept the invitation. It works once, for 7 days.')
    : t('No mail server is set up, so you get the link and send it yourself. It works once, for 7 days.')
