import { useQueryClient } from '@tanstack/react-query'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { SelectField, TextField } from '../../components/form/field.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { changeCompany } from '../../features/company/company-queries.ts'
import { type AllSettings, changeOrganisation } from '../../features/settings/settings-queries.ts'
import { browserTimeZone, listTimeZones } from '../../features/settings/time-zones.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { StepFrame, type StepNavigation } from './step-frame.tsx'

interface Props extends StepNavigation {
  settings: AllSettings
}

/**
 * Sets the name and time zone of the organisation, and the name of the admin’s company if it still has the one it was created with.
 * Suggests the time zone of the browser as long as nothing is set.
 */
export function NameStep({ settings: { organisation }, ...navigation }: Props) {
  const { version, values } = organisation
  const variable = organisation.locked.name
  const unnamedCompany = useUnnamedCompany()
  const save = useSaveOrganisation(version, unnamedCompany)
  const form = useForm({
    initial: { name: values.name ?? '', time_zone: (version === 0 && browserTimeZone) || values.time_zone },
    action: save,
    validate: ({ name }) => (name.trim() ? {} : { name: t('Enter a name, or skip this step.') }),
    fieldByCode: { 'company.name_taken': 'name' },
    submit({ name, time_zone }) {
      const isUnchanged = name.trim() === values.name && time_zone === values.time_zone
      if (isUnchanged) navigation.onNext()
      else save.run({ name: name.trim(), time_zone }, { onSuccess: navigation.onNext })
    },
  })
  const note = unnamedCompany ? t('Your own company gets this name, too.') : undefined
  return (
    <StepFrame step="organisation" form={form.form} isDirty={form.dialog.dirty} isBusy={save.isBusy} {...navigation}>
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
      <SelectField
        label={t('Time zone')}
        options={listTimeZones(form.draft.time_zone)}
        hint={t('Emails show times in this zone.')}
        {...form.field('time_zone')}
      />
    </StepFrame>
  )
}

/** Returns the id of the admin’s company while it has the name that it got when the database was created. */
function useUnnamedCompany(): string | undefined {
  const session = useSession()
  return session.kind === 'signed-in' && session.info.company_name === defaultCompany ? session.info.company : undefined
}

function useSaveOrganisation(version: number, company: string | undefined) {
  const client = useQueryClient()
  return useAction(
    async (values: { name: string; time_zone: string }) => {
      if (company !== undefined) await changeCompany({ id: company, name: values.name })
      await changeOrganisation({ version, values })
    },
    { refresh: () => client.invalidateQueries() },
  )
}
