import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import type { Values } from '../../features/settings/section-draft.ts'
import { useSectionForm } from '../../features/settings/use-section-form.ts'
import { t } from '../../i18n/t.ts'
import { formatQuantity } from '../../lib/settings/quantities.ts'
import { PreviewPrograms } from './preview-programs.tsx'
import { SectionFrame } from './section-frame.tsx'
import type { SectionProps } from './section-props.ts'
import { QuantitySetting } from './setting-fields.tsx'

export function StorageSection({ settings }: SectionProps) {
  const form = useSectionForm('storage', settings.storage, {
    needsConfirmation: (changes) => findLosses(settings.storage.values, changes).length > 0,
  })
  return (
    <>
      <SectionFrame form={form}>
        <QuantitySetting form={form} field="max_upload_bytes" hint={t('Applies to uploads by staff and by recipients.')} />
        <QuantitySetting
          form={form}
          field="company_quota_bytes"
          placeholder={t('Unlimited')}
          hint={t('For companies without a quota of their own. Leave it empty for no limit.')}
        />
        <QuantitySetting
          form={form}
          field="trash_days"
          hint={t('Deleted files and directories can be restored until then. After that, they are permanently deleted.')}
        />
        <QuantitySetting
          form={form}
          field="versions_kept"
          hint={t('When a file is replaced, its earlier versions can be restored. Those that a link shows are always kept.')}
        />
        <QuantitySetting form={form} field="version_days" hint={t('After that, they are permanently deleted.')} />
        <QuantitySetting
          form={form}
          field="activity_days"
          placeholder={t('Forever')}
          hint={t('Older entries are permanently deleted. Leave it empty to keep all of them.')}
        />
        <PreviewPrograms settings={settings} />
      </SectionFrame>
      {form.confirmation && (
        <DialogFrame
          title={t('Permanently delete older data?')}
          description={findLosses(form.base.values, form.confirmation.changes).join(' ')}
          confirmLabel={t('Save and delete')}
          danger
          action={form.confirmation.action}
          onConfirm={form.confirmation.confirm}
          onClose={form.confirmation.cancel}
        />
      )}
    </>
  )
}

/** Describes what is removed for good if these limits are lowered. */
function findLosses(before: Values, { trash_days, versions_kept, version_days, activity_days }: Values): string[] {
  const isShorter = (value: unknown, previous: unknown): value is number =>
    typeof value === 'number' && (previous === null || value < Number(previous))
  const losses = [
    isShorter(trash_days, before['trash_days']) &&
      t(
        'Files and directories that were deleted more than {time} ago will be permanently deleted, starting within a minute. Nobody can restore them.',
        {
          time: formatQuantity('days', trash_days),
        },
      ),
    (isShorter(versions_kept, before['versions_kept']) || isShorter(version_days, before['version_days'])) &&
      t(
        'Earlier versions of files beyond these limits will be permanently deleted, starting within a minute. Nobody can restore them. Versions that a link is pinned to are kept until the link expires.',
      ),
    isShorter(activity_days, before['activity_days']) &&
      t('Activity that is more than {time} old is permanently deleted.', { time: formatQuantity('days', activity_days) }),
  ]
  return losses.filter((loss) => loss !== false)
}
