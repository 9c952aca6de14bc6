import { useState } from 'react'
import { useToast } from '../../../components/feedback/toast.tsx'
import { Button } from '../../../components/form/button.tsx'
import { PlusIcon } from '../../../components/icons.tsx'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

interface PasskeySetUpProps {
  /** The names of the user’s passkeys. */
  names: readonly string[]
  variant?: 'primary' | undefined
  disabledReason?: string | undefined
  /** Called when the dialogs open or close. */
  onToggle?: (isOpen: boolean) => void
}

type Stage = { kind: 'closed' } | { kind: 'name' } | { kind: 'codes'; name: string; recoveryCodes: readonly string[] }

/** A button that adds a passkey: asks for its name, lets the browser create it, then shows the recovery codes if there are any. */
export function PasskeySetUp({ names, variant, disabledReason, onToggle }: PasskeySetUpProps) {
  const [stage, setStage] = useState<Stage>({ kind: 'closed' })
  const toast = useToast()
  const open = () => {
    setStage({ kind: 'name' })
    onToggle?.(true)
  }
  const close = () => {
    setStage({ kind: 'closed' })
    onToggle?.(false)
  }
  const finish = (name: string) => {
    toast({ message: t('Added the passkey “{name}”.', { name: shortenName(name) }) })
    close()
  }
  const showCodes = (name: string, recoveryCodes: readonly string[] | undefined) =>
    recoveryCodes ? setStage({ kind: 'codes', name, recoveryCodes }) : finish(name)
  return (
    <>
      <Button variant={variant} icon={<PlusIcon />} disabledReason={disabledReason} onClick={open}>
        {t('Add passkey')}
      </Button>
      {stage.kind === 'name' && <AddPasskeyDialog names={names} onAdded={showCodes} onClose={close} />}
      {stage.kind === 'codes' && <RecoveryCodesDialog codes={stage.recoveryCodes} onClose={() => finish(stage.name)} />}
    </>
  )
}
