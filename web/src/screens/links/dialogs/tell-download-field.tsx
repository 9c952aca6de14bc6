import { type ComponentProps, useId } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Checkbox } from '../../../components/form/checkbox.tsx'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { t } from '../../../i18n/t.ts'
import css from '../link-dialogs.module.css'

const c = classNames(css)

/** Chooses whether the owner of a new link is notified about the first download. */
export function TellDownloadField(checkbox: Omit<ComponentProps<typeof Checkbox>, 'label'>) {
  const hasMailServer = useHasMailServer()
  const hintId = useId()
  return (
    <div>
      <Checkbox
        label={t('Notify me about the first download')}
        aria-describedby={hasMailServer ? undefined : hintId}
        {...checkbox}
      />
      {!hasMailServer && (
        <p id={hintId} className={c('hint')}>
          {t('You’ll get this email only if a mail server is set up by then.')}
        </p>
      )}
    </div>
  )
}
