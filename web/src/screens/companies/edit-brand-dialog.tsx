import type { CompanyDetails } from '@neptune/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { LogoFields } from '../../features/brand/logo-fields.tsx'
import { type LogosDraft, saveLogos } from '../../features/brand/logo-queries.ts'
import { changeCompany } from '../../features/company/company-queries.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { CompanyDialogLoader } from './company-dialog-loader.tsx'

interface Props {
  company: Pick<CompanyDetails, 'id' | 'name'>
  onClose: () => void
}

interface Draft extends LogosDraft {
  brand_name: string
}

/** Edits the name and logos that recipients of a company’s links see. Lists don’t contain them, so the company is loaded first. */
export const EditBrandDialog = ({ company, onClose }: Props) => (
  <CompanyDialogLoader id={company.id} title={t('Edit brand')} onClose={onClose}>
    {(company) => <BrandForm company={company} onClose={onClose} />}
  </CompanyDialogLoader>
)

function BrandForm({ company, onClose }: { company: CompanyDetails; onClose: () => void }) {
  const save = useSaveBrand(company)
  const toast = useToast()
  const name = shortenName(company.name)
  const form = useForm<Draft>({
    initial: { brand_name: company.brand.name ?? '', ...company.brand.logos },
    action: save,
    failureTitle: t('The brand was not saved.'),
    submit: (draft) =>
      save.run(draft, {
        onSuccess: () => {
          toast({ message: t('Saved the brand of {name}.', { name }) })
          onClose()
        },
      }),
  })
  return (
    <DialogFrame
      title={t('Edit brand')}
      description={t(
        'Recipients of {name}’s links see this name and logo instead of your organisation’s after they enter the code, and in emails.',
        { name },
      )}
      confirmLabel={t('Save')}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField
        label={t('Name for recipients')}
        autoComplete="off"
        maxLength={120}
        hint={t('Leave it empty to show your organisation’s name.')}
        {...form.field('brand_name')}
      />
      <LogoFields draft={form.draft} onChange={form.change} errors={form.errors} />
    </DialogFrame>
  )
}

/** Saves the changes: first the logos, because the server can reject an image, then the name. */
function useSaveBrand({ id, brand }: CompanyDetails) {
  const client = useQueryClient()
  return useAction(
    async ({ brand_name, ...logos }: Draft) => {
      await saveLogos({ company: id }, brand.logos, logos)
      const name = brand_name.trim() || null
      if (name !== brand.name) await changeCompany({ id, brand_name: name })
    },
    { refresh: () => client.invalidateQueries() },
  )
}
