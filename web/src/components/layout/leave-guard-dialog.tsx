import { useEffect, useState } from 'react'
import { t } from '../../i18n/t.ts'
import { guardPage } from '../../lib/page/leave-guard.ts'
import { DialogFrame } from './dialog-frame.tsx'

/** Nothing is sent, so the dialog is never busy. */
const action = { isBusy: false, isLocked: () => false }

/** Asks before the user leaves a page with unsaved changes. */
export function LeaveGuardDialog({ isDirty }: { isDirty: boolean }) {
  const [leave, setLeave] = useState<() => void>()
  useEffect(() => (isDirty ? guardPage((leave) => setLeave(() => leave)) : undefined), [isDirty])
  if (!leave) return null
  const close = () => setLeave(undefined)
  return (
    <DialogFrame
      title={t('Discard your changes?')}
      description={t('You have unsaved changes on this page.')}
      confirmLabel={t('Discard')}
      cancelLabel={t('Keep editing')}
      danger
      action={action}
      onConfirm={() => {
        close()
        leave()
      }}
      onClose={close}
    />
  )
}
