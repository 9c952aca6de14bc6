import { type ReactNode, useEffect, useRef } from 'react'
import { CopyField } from '../components/copy-field.tsx'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { t } from '../words/t.ts'

interface ShownOnceDialogProps {
  title: string
  /** What it is called, and what it is. */
  label: string
  value: string
  hint: ReactNode
  onClose: () => void
}

/** A secret that was just made, and is kept nowhere. The focus is on the button that copies it: that is what is done next. */
export function ShownOnceDialog({ title, label, value, hint, onClose }: ShownOnceDialogProps) {
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => field.current?.querySelector('button')?.focus(), [])
  return (
    <DialogFrame
      title={title}
      description={t('Copy it now. You won’t be able to see it again.')}
      confirmLabel={t('Close')}
      once
      onClose={onClose}
    >
      <div ref={field}>
        <CopyField label={label} value={value} hint={hint} />
      </div>
    </DialogFrame>
  )
}
