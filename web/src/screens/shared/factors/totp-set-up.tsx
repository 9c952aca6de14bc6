import { useState } from 'react'
import { useToast } from '../../../components/feedback/toast.tsx'
import { Button } from '../../../components/form/button.tsx'
import { useStartTotp } from '../../../features/factor/factor-queries.ts'
import { t } from '../../../i18n/t.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { TotpDialog } from './totp-dialog.tsx'

interface TotpSetUpProps {
  /** Whether the button is shown. The dialogs stay open when it disappears, because the app is already set up. */
  isOffered: boolean
  variant?: 'primary' | undefined
  /** Called when the dialogs open or close. */
  onToggle?: (isOpen: boolean) => void
}

type Stage =
  | { kind: 'closed' }
  | { kind: 'scan'; secret: string; uri: string }
  | { kind: 'codes'; recoveryCodes: readonly string[] }

/** A button that sets up an authenticator app: shows its secret, confirms it with a code, then shows the recovery codes. */
export function TotpSetUp({ isOffered, variant, onToggle }: TotpSetUpProps) {
  const [stage, setStage] = useState<Stage>({ kind: 'closed' })
  const start = useStartTotp()
  const toast = useToast()
  const open = () =>
    start.run(undefined, {
      onSuccess({ data }) {
        setStage({ kind: 'scan', ...data })
        onToggle?.(true)
      },
      onError: ({ message }) => toast({ message }),
    })
  const close = (isSetUp: boolean) => {
    setStage({ kind: 'closed' })
    if (isSetUp) toast({ message: t('Your authenticator app is set up.') })
    onToggle?.(false)
  }
  const showCodes = (recoveryCodes: readonly string[] | undefined) =>
    recoveryCodes ? setStage({ kind: 'codes', recoveryCodes }) : close(true)
  return (
    <>
      {isOffered && (
        <Button variant={variant} busy={start.isBusy} onClick={open}>
          {t('Set up an app')}
        </Button>
      )}
      {stage.kind === 'scan' && <TotpDialog {...stage} onConfirmed={showCodes} onClose={() => close(false)} />}
      {stage.kind === 'codes' && <RecoveryCodesDialog codes={stage.recoveryCodes} onClose={() => close(true)} />}
    </>
  )
}
