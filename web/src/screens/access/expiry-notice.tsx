import type { Access } from '@neptune/contract'
import { useEffect, useRef, useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { ClockIcon } from '../../components/entry-icons.tsx'
import { Button } from '../../components/form/button.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { t } from '../../i18n/t.ts'
import { useNow } from '../../lib/time/use-now.ts'
import css from './access-page.module.css'
import { AskField, useAskForm } from './use-ask-form.tsx'

const c = classNames(css)

/** How long before the expiry the notice appears. */
const noticeMs = 3 * 24 * 60 * 60_000

/** Lets recipients ask for more time while the link is still open, if it expires soon. */
export function ExpiryNotice({ access }: { access: Access }) {
  const { expiry, is_preview, shared_by: name } = access
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  /** The expiry when the recipient asked for more time. They can ask again once the link has a new expiry. */
  const [askedExpiry, setAskedExpiry] = useState<string>()
  if (is_preview || Date.parse(expiry) - now > noticeMs) return null
  if (askedExpiry === expiry) return <RequestSent name={name} />
  const confirmSent = () => {
    setAsking(false)
    setAskedExpiry(expiry)
  }
  return (
    <div className={c('received', 'soon')}>
      <ClockIcon size={24} />
      <p>{t('This link expires soon.')}</p>
      <Button onClick={() => setAsking(true)}>{t('Ask for more time')}</Button>
      {isAsking && <AskDialog access={access} onAsked={confirmSent} onClose={() => setAsking(false)} />}
    </div>
  )
}

/** Takes over the focus, because the button that had it is gone. */
function RequestSent({ name }: { name: string }) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => note.current?.focus(), [])
  return (
    <div ref={note} role="status" tabIndex={-1} className={c('received', 'soon')}>
      <ClockIcon size={24} />
      <p>
        {t(
          'You asked {name} for more time. If they agree, this page shows the new date. If this link was emailed, that address is notified, too.',
          {
            name,
          },
        )}
      </p>
    </div>
  )
}

interface AskDialogProps {
  access: Access
  onAsked: () => void
  onClose: () => void
}

function AskDialog({ access, onAsked, onClose }: AskDialogProps) {
  const { form } = useAskForm({ accessKey: access.key, wants: 'time', onAsked })
  return (
    <DialogFrame
      title={t('Ask for more time')}
      description={t('We’ll ask the person who shared this to keep it open longer. Your code stays the same.')}
      confirmLabel={t('Send request')}
      {...form.dialog}
      onClose={onClose}
    >
      <AskField {...form.field('message')} />
    </DialogFrame>
  )
}
