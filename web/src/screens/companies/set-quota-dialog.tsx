import type { CompanyDetails, CompanyRow } from '@neptune/contract'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/entry-icons.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { SelectField, TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useChangeCompany } from '../../features/company/company-queries.ts'
import { t } from '../../i18n/t.ts'
import { formatQuantity, getUnits } from '../../lib/settings/quantities.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatSize } from '../../lib/sizes.ts'
import parts from '../shared/dialogs/dialog-parts.module.css'
import { CompanyDialogLoader } from './company-dialog-loader.tsx'
import { type QuotaDraft, toBytes, toQuotaDraft } from './quota-draft.ts'
import css from './set-quota-dialog.module.css'

const c = classNames(css)
const p = classNames(parts)

interface Props {
  company: CompanyRow
  onClose: () => void
}

/** Sets the quota of a company. List rows don’t distinguish its own quota from the default, so the company is loaded first. */
export const SetQuotaDialog = ({ company, onClose }: Props) => (
  <CompanyDialogLoader id={company.id} title={t('Set quota')} onClose={onClose}>
    {(company) => <QuotaForm company={company} onClose={onClose} />}
  </CompanyDialogLoader>
)

function QuotaForm({ company, onClose }: { company: CompanyDetails; onClose: () => void }) {
  const change = useChangeCompany()
  const toast = useToast()
  const { id, bytes, default_quota } = company
  const name = shortenName(company.name)
  const form = useForm<QuotaDraft>({
    initial: () => toQuotaDraft(company.own_quota),
    action: change,
    failureTitle: t('The quota was not changed.'),
    validate: (draft) => (toBytes(draft) === undefined ? { quota: t('Enter a number greater than 0, such as 50.') } : {}),
    submit: (draft) =>
      change.run(
        { id, quota: toBytes(draft) ?? null },
        {
          onSuccess: ({ data: { quota } }) => {
            toast({
              message:
                quota === null
                  ? t('{name} has no limit now.', { name })
                  : t('The quota of {name} is now {quota}.', { name, quota: formatQuantity('bytes', quota) }),
            })
            onClose()
          },
        },
      ),
  })
  const quota = toBytes(form.draft)
  const isTooSmall = bytes > (quota ?? default_quota ?? Number.POSITIVE_INFINITY)
  return (
    <DialogFrame
      title={t('Set quota')}
      description={t('{name} uses {size}, including files in the trash.', { name, size: formatSize(bytes) })}
      confirmLabel={t('Save')}
      {...form.dialog}
      onClose={onClose}
    >
      <div className={c('fields')}>
        <TextField
          label={t('Quota')}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          placeholder={default_quota === null ? t('No limit') : formatQuantity('bytes', default_quota)}
          hint={describeDefault(company)}
          {...form.field('quota')}
        />
        <SelectField label={t('Unit')} options={getUnits('bytes')} {...form.field('unit')} />
      </div>
      {/* Always present, so that screen readers announce the text when it appears. */}
      <div role="status">
        {isTooSmall && (
          <p className={p('note')}>
            <AlertIcon />
            <span>
              {t('{name} already uses more than that. Nobody can upload to it until files are permanently deleted.', { name })}
            </span>
          </p>
        )}
      </div>
    </DialogFrame>
  )
}

const describeDefault = ({ default_quota }: CompanyDetails) =>
  default_quota === null
    ? t('Leave it empty for no limit, which is the default.')
    : t('Leave it empty for the default of {size}.', { size: formatQuantity('bytes', default_quota) })
