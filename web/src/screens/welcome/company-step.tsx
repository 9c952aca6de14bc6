import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import { companiesQuery, useCreateCompany } from '../../features/company/company-queries.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { paths } from '../../paths.ts'
import { StepFrame, type StepNavigation } from './step-frame.tsx'
import css from './welcome.module.css'

const c = classNames(css)

/** How many companies fit the step. */
const maxShown = 5

/** Returns all companies but the user’s own. */
export function useClients() {
  const session = useSession()
  const own = session.kind === 'signed-in' ? session.info.company : undefined
  return useQuery(companiesQuery()).data?.filter(({ id }) => id !== own)
}

/** Creates a client, and lists the existing ones. */
export function CompanyStep(navigation: StepNavigation) {
  const clients = useClients() ?? []
  const create = useCreateCompany()
  const toast = useToast()
  const form = useForm({
    initial: { name: '' },
    action: create,
    fieldByCode: { 'company.name_taken': 'name' },
    validate: ({ name }) => (name.trim() || clients.length > 0 ? {} : { name: t('Enter a name, or skip this step.') }),
    submit(draft) {
      if (!draft.name.trim()) return navigation.onNext()
      create.run(draft, {
        onSuccess({ data: { name } }) {
          toast({ message: t('Created {name}.', { name: shortenName(name) }) })
          navigation.onNext()
        },
      })
    },
  })
  return (
    <StepFrame step="company" form={form.form} isDirty={form.dialog.dirty} isBusy={create.isBusy} {...navigation}>
      {form.failure && <RequestFailure error={form.failure} />}
      {clients.length > 0 && (
        <div>
          <p>{t('Existing companies:')}</p>
          <ul className={c('clients')}>
            {clients.slice(0, maxShown).map(({ id, name }) => (
              <li key={id}>
                <Link to={paths.company(id)}>{name}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <TextField
        label={clients.length > 0 ? t('Name of another company') : t('Name of the company')}
        required={clients.length === 0}
        autoComplete="off"
        maxLength={120}
        {...form.field('name')}
      />
    </StepFrame>
  )
}
