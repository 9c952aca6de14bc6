import { useQueryClient } from '@tanstack/react-query'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { TextField } from '../../components/form/field.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { changeCompany } from '../../features/company/company-queries.ts'
import { type AllSettings, changeOrganisation } from '../../features/settings/settings-queries.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { StepFrame, type StepNavigation } from './step-frame.tsx'

interface Props extends StepNavigation {
  settings: AllSettings
}

/** Sets the name of the organisation, and of the admin’s company if it still has the name it was created with. */
export function NameStep({ settings: { organisation }, ...navigation }: Props) {
  const variable = organisation.locked.name
  const unnamedCompany = useUnnamedCompany()
  const save = useSaveName(organisation.version, unnamedCompany)
  const form = useForm({
    initial: { name: organisation.values.name ?? '' },
    action: save,
    validate: ({ name }) => (name.trim() ? {} : { name: t('Enter a name, or skip this step.') }),
    fieldByCode: { 'company.name_taken': 'name' },
    submit: ({ name }) =>
      name.trim() === organisation.values.name ? navigation.onNext() : save.run(name.trim(), { onSuccess: navigation.onNext }),
  })
  const note = unnamedCompany ? t('Your own company gets this name, too.') : undefined
  return (
    <StepFrame step="organisation" form={form.form} isBusy={save.isBusy} {...navigation}>
      {form.failure && <RequestFailure error={form.failure} />}
      <TextField
        label={t('Name of the organisation')}
        required
        autoComplete="organization"
        maxLength={120}
        disabled={variable !== undefined}
        hint={variable === undefined ? note : t('Set by the operator ({variable}).', { variable })}
        {...form.field('name')}
      />
    </StepFrame>
  )
}

/** Returns the id of the admin’s company while it has the name that it got when the database was created. */
function useUnnamedCompany(): string | undefined {
  const session = useSession()
  return session.kind === 'signed-in' && session.info.company_name === defaultCompany ? session.info.company : undefined
}

function useSaveName(version: number, company: string | undefined) {
  const client = useQueryClient()
  return useAction(
    async (name: string) => {
      if (company !== undefined) await changeCompany({ id: company, name })
      await changeOrganisation({ version, values: { name } })
    },
    { refresh: () => client.invalidateQueries() },
  )
}
