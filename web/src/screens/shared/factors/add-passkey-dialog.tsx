import type { FocusEvent } from 'react'
import { useForm } from '../../../api/use-form.ts'
import { TextField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useAddPasskey } from '../../../features/passkey/passkey-queries.ts'
import { t } from '../../../i18n/t.ts'
import { formatUserAgent } from '../../../lib/user-agent.ts'

interface AddPasskeyDialogProps {
  names: readonly string[]
  /** Called with the recovery codes if this is the first second factor. */
  onAdded: (name: string, recoveryCodes: readonly string[] | undefined) => void
  onClose: () => void
}

/** Asks for the name of a new passkey. Then the browser asks where to store it. */
export function AddPasskeyDialog({ names, onAdded, onClose }: AddPasskeyDialogProps) {
  const add = useAddPasskey()
  const form = useForm({
    initial: () => ({ name: suggestName(names) }),
    action: add,
    failureTitle: t('The passkey was not added.'),
    validate: ({ name }): Record<string, string> => (name.trim() ? {} : { name: t('Enter a name.') }),
    submit: ({ name }) => add.run(name, { onSuccess: ({ data }) => onAdded(data.passkey.name, data.recovery_codes) }),
  })
  return (
    <DialogFrame
      title={t('Add a passkey')}
      description={t(
        'Your browser then asks where to store it: on this device, in a password manager, on a phone or on a security key.',
      )}
      confirmLabel={t('Continue')}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        hint={t('So that you recognise it, for example the name of the device.')}
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={120}
        onFocus={({ target }: FocusEvent<HTMLInputElement>) => target.select()}
        {...form.field('name')}
      />
    </DialogFrame>
  )
}

/** Suggests a name such as “Chrome on Linux”, with a number if that name is taken. */
function suggestName(names: readonly string[]): string {
  const name = formatUserAgent(navigator.userAgent)
  const isTaken = (candidate: string) => names.includes(candidate)
  if (!isTaken(name)) return name
  let number = 2
  while (isTaken(`${name} ${number}`)) number++
  return `${name} ${number}`
}
