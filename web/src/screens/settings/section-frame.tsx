import { type ReactNode, useId, useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { describeFailure } from '../../api/form-errors.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { AlertIcon } from '../../components/icons.tsx'
import { LeaveGuardDialog } from '../../components/layout/leave-guard-dialog.tsx'
import type { RemoteChange } from '../../features/settings/merge-changes.ts'
import type { SectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { formatValue, getFieldLabel } from '../../lib/settings/setting-texts.ts'
import css from './settings.module.css'

const c = classNames(css)

/** The form of a section: its fields, errors and buttons, and the notice about changes of other admins. */
export function SectionFrame({ form, children }: { form: SectionForm; children: ReactNode }) {
  const saveButton = useRef<HTMLButtonElement>(null)
  /** Discards the changes. The pressed button disappears, so the focus moves to one that stays. */
  const discard = () => {
    form.discard()
    saveButton.current?.focus()
  }
  const isChangedElsewhere = form.failure instanceof ApiError && form.failure.code === 'settings.changed'
  const failure = form.failure && describeFailure(form.failure, t('The settings were not saved.'))
  return (
    <>
      <form className={c('form')} {...form.form}>
        {children}
        {form.remoteChanges && <RemoteChangesNotice form={form} remoteChanges={form.remoteChanges} onDiscard={discard} />}
        {failure && !form.isSaving && (
          <FormError
            {...(typeof failure === 'string' ? { title: failure } : failure)}
            // Soon replaced by the notice about what someone else has changed, so it must not take the focus.
            announce={isChangedElsewhere ? 'alert' : 'focus'}
          />
        )}
        <div className={c('actions')}>
          <Button
            ref={saveButton}
            type="submit"
            variant="primary"
            busy={form.isSaving}
            disabledReason={form.isDirty || form.isSaving ? undefined : t('You haven’t changed anything yet.')}
          >
            {t('Save')}
          </Button>
          {form.isDirty && !form.isSaving && <Button onClick={discard}>{t('Discard changes')}</Button>}
        </div>
      </form>
      {/* Outside the form, because it contains a form of its own. */}
      <LeaveGuardDialog isDirty={form.isDirty} />
    </>
  )
}

interface RemoteChangesNoticeProps {
  form: SectionForm
  remoteChanges: readonly RemoteChange[]
  onDiscard: () => void
}

/** Says what another admin has saved in the meantime. What was entered here is kept until the admin decides. */
function RemoteChangesNotice({ form, remoteChanges, onDiscard }: RemoteChangesNoticeProps) {
  const id = useId()
  return (
    <div role="alert" aria-labelledby={id} className={c('notice')}>
      <AlertIcon />
      <div className={c('noticeText')}>
        <p id={id} className={c('noticeTitle')}>
          {t('Someone else has changed these settings in the meantime.')}
        </p>
        {remoteChanges.length > 0 && (
          <ul className={c('remoteChanges')}>
            {remoteChanges.map((remoteChange) => (
              <RemoteChangeItem key={remoteChange.field} form={form} {...remoteChange} />
            ))}
          </ul>
        )}
        <p>{t('Your changes are still here, but not saved. Save them, or discard them and use the new settings.')}</p>
        <div>
          <Button onClick={onDiscard}>{t('Use the new settings')}</Button>
        </div>
      </div>
    </div>
  )
}

function RemoteChangeItem({ form, field, value, isConflict }: RemoteChange & { form: SectionForm }) {
  const label = getFieldLabel(form.name, field)
  const shown = formatValue(form.name, field, value)
  const isStillDifferent = isConflict && field in form.changes
  return (
    <li>
      {tNodes('“{label}” is now {value}.', { label, value: <strong>{shown}</strong> })}{' '}
      {isStillDifferent ? t('You entered something else.') : t('This page shows the new value.')}{' '}
      {isStillDifferent && (
        <button type="button" className={c('link')} onClick={() => form.replaceField(field, value)}>
          {t('Use {value}', { value: shown })}
        </button>
      )}
    </li>
  )
}
