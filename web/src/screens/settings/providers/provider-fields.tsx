import type { ProviderRules } from '@neptune/contract'
import { classNames } from '../../../components/class-names.ts'
import { Button } from '../../../components/form/button.tsx'
import { Checkbox } from '../../../components/form/checkbox.tsx'
import { PasswordField, SelectField, TextField } from '../../../components/form/field.tsx'
import { TextArea } from '../../../components/form/text-area.tsx'
import { PlusIcon } from '../../../components/icons.tsx'
import { Disclosure } from '../../../components/layout/disclosure.tsx'
import { noRights, type ProviderDraft } from '../../../features/provider/provider-draft.ts'
import { providerLabels, secondFactorTexts } from '../../../features/provider/provider-texts.ts'
import { t } from '../../../i18n/t.ts'
import css from './provider-dialogs.module.css'
import { RightsFields } from './rights-fields.tsx'

const c = classNames(css)

interface ProviderFieldsProps {
  draft: ProviderDraft
  errors: Record<string, string>
  onChange: (changes: Partial<ProviderDraft>) => void
}

const plainText = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** The name of a provider, and how to reach it. */
export function ClientFields({ draft, errors, onChange, secretHint }: ProviderFieldsProps & { secretHint: string }) {
  const field = (name: 'name' | 'issuer' | 'client_id' | 'client_secret') => ({
    name,
    label: t(providerLabels[name]),
    value: draft[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  })
  return (
    <>
      <TextField
        {...field('name')}
        required
        autoComplete="off"
        maxLength={120}
        hint={t('People see it on the sign-in page: “Sign in with {name}”.', { name: draft.name.trim() || '…' })}
      />
      <TextField
        {...field('issuer')}
        {...plainText}
        type="url"
        required
        maxLength={300}
        placeholder="https://id.example.com"
        hint={t('The issuer URL, exactly as the provider states it.')}
      />
      <TextField {...field('client_id')} {...plainText} required maxLength={300} />
      <PasswordField {...field('client_secret')} autoComplete="new-password" maxLength={1024} hint={secretHint} />
    </>
  )
}

/** Who may sign in with a provider, and what new people get. */
export function RuleFields({ draft, errors, onChange }: ProviderFieldsProps) {
  return (
    <fieldset className={c('group')}>
      <legend>{t('Who may sign in')}</legend>
      <TextArea
        {...plainText}
        name="domains"
        label={t(providerLabels.domains)}
        rows={2}
        value={draft.domains}
        error={errors['domains']}
        hint={t('The domains whose addresses this provider manages, one per line. List only domains of your own.')}
        onChange={({ target }) => onChange({ domains: target.value })}
      />
      <Checkbox
        name="trust_email"
        label={t(providerLabels.trust_email)}
        checked={draft.trust_email}
        onChange={({ target }) => onChange({ trust_email: target.checked })}
      />
      <SelectField
        name="creates"
        label={t(providerLabels.creates)}
        options={[
          { value: 'no', label: t('Can’t sign in') },
          { value: 'yes', label: t('Become users if their domain matches') },
        ]}
        value={draft.creates}
        onChange={({ target }) => onChange({ creates: target.value as ProviderDraft['creates'] })}
      />
      {draft.creates === 'yes' && (
        <div className={c('rights')}>
          <RightsFields name="create" rights={draft.create} errors={errors} onChange={(create) => onChange({ create })} />
        </div>
      )}
      <ClaimFields draft={draft} errors={errors} onChange={onChange} />
      <SelectField
        name="second_factor"
        label={t(providerLabels.second_factor)}
        options={Object.entries(secondFactorTexts).map(([value, text]) => ({ value, label: t(text) }))}
        value={draft.second_factor}
        onChange={({ target }) => onChange({ second_factor: target.value as ProviderRules['second_factor'] })}
      />
    </fieldset>
  )
}

/** The rights of people by the value of a claim, such as their group. These apply regardless of the domain. */
function ClaimFields({ draft: { claim, values }, errors, onChange }: ProviderFieldsProps) {
  const hasError = 'claim' in errors || values.some(({ key }) => Object.keys(errors).some((name) => name.startsWith(`${key}.`)))
  const replace = (key: string, changes: Partial<ProviderDraft['values'][number]>) =>
    onChange({ values: values.map((value) => (value.key === key ? { ...value, ...changes } : value)) })
  const add = () => onChange({ values: [...values, { key: crypto.randomUUID(), value: '', rights: noRights }] })
  return (
    <Disclosure
      title={t('Rights by group')}
      summary={values.length === 0 ? t('None') : values.map(({ value }) => value).join(', ')}
      forceOpen={hasError}
    >
      <TextField
        {...plainText}
        name="claim"
        label={t(providerLabels.claim)}
        placeholder="groups"
        maxLength={200}
        value={claim}
        error={errors['claim']}
        hint={t('People whose claim has one of the values below become users, whatever their domain. The first match wins.')}
        onChange={({ target }) => onChange({ claim: target.value })}
      />
      {values.map(({ key, value, rights }) => (
        <fieldset key={key} className={c('rights')} aria-label={value || t('New value')}>
          <TextField
            {...plainText}
            name={`${key}.value`}
            label={t('Value')}
            required
            maxLength={200}
            value={value}
            error={errors[`${key}.value`]}
            onChange={({ target }) => replace(key, { value: target.value })}
          />
          <RightsFields name={key} rights={rights} errors={errors} onChange={(rights) => replace(key, { rights })} />
          <Button onClick={() => onChange({ values: values.filter((other) => other.key !== key) })}>{t('Remove value')}</Button>
        </fieldset>
      ))}
      <Button icon={<PlusIcon />} onClick={add}>
        {t('Add value')}
      </Button>
    </Disclosure>
  )
}
