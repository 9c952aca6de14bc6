import { type ReactNode, useEffect, useRef } from 'react'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { t } from '../../../i18n/t.ts'

interface ShownOnceDialogProps {
  title: string
  label: string
  value: string
  hint: ReactNode
  onClose: () => void
}

/** Shows a new secret, which cannot be shown again. Focuses its copy button. */
export function ShownOnceDialog({ title, label, value, hint, onClose }: ShownOnceDialogProps) {
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => field.current?.querySelector('button')?.focus(), [])
  return (
    <DialogFrame
      title={title}
      description={t('Copy it now. You won’t be able to see it again.')}
      confirmLabel={t('Close')}
      isShownOnce
      onClose={onClose}
    >
      <div ref={field}>
        <CopyField label={label} value={value} hint={hint} />
      </div>
    </DialogFrame>
  )
}
