import type { TokenScope } from '@neptune/contract'
import type { FieldErrors } from '../../api/form-errors.ts'
import { useForm } from '../../api/use-form.ts'
import { DateField, SelectField, TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useCreateToken } from '../../features/token/token-queries.ts'
import { getScopeOptions, scopeEffects } from '../../features/token/token-texts.tsx'
import { t } from '../../i18n/t.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { getDayFromNow, toEndOfDay } from '../../lib/time/days.ts'
import { ShownOnceDialog } from '../shared/dialogs/shown-once-dialog.tsx'

interface Draft {
  name: string
  scope: TokenScope
  lifetime: string
  /** The last day, if `lifetime` is `day`. */
  expiresAt: string
}

export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateToken()
  const form = useForm<Draft>({
    initial: { name: '', scope: 'read', lifetime: '90', expiresAt: '' },
    action: create,
    failureTitle: t('The token was not created.'),
    validate,
    submit(draft) {
      const expiresAt = getExpiry(draft)
      create.run({ name: draft.name, scope: draft.scope, ...(expiresAt !== undefined && { expiresAt }) })
    },
  })
  if (create.result) return <TokenReadyDialog token={create.result.token} onClose={onClose} />
  return (
    <DialogFrame
      title={t('Create API token')}
      description={t('A script with this token acts as you, with the permissions you have at that time.')}
      confirmLabel={t('Create token')}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        required
        autoComplete="off"
        maxLength={120}
        hint={t('What the token is for, such as “Nightly backup”.')}
        {...form.field('name')}
      />
      <SelectField
        label={t('Scope')}
        required
        options={getScopeOptions()}
        hint={t(scopeEffects[form.draft.scope])}
        {...form.field('scope')}
      />
      <Expiry draft={form.draft} onChange={form.change} error={form.errors['expiresAt']} />
    </DialogFrame>
  )
}

interface ExpiryProps {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  error: string | undefined
}

/** Names the last visible field `expiresAt`, so that it gets the focus and the error if the expiry is invalid. */
function Expiry({ draft, onChange, error }: ExpiryProps) {
  const isCustomDay = draft.lifetime === 'day'
  const expiry = getExpiry(draft)
  return (
    <>
      <SelectField
        label={t('Expiry')}
        name={isCustomDay ? 'lifetime' : 'expiresAt'}
        required
        options={getLifetimeOptions()}
        value={draft.lifetime}
        // Includes `expiresAt` unchanged, which clears its error.
        onChange={({ target }) => onChange({ lifetime: target.value, expiresAt: draft.expiresAt })}
        hint={
          expiry ? t('Valid until {date}.', { date: formatDateTime(expiry) }) : !isCustomDay && t('Valid until it’s revoked.')
        }
        error={isCustomDay ? undefined : error}
      />
      {isCustomDay && (
        <DateField
          label={t('Last day')}
          name="expiresAt"
          required
          min={getDayFromNow(0)}
          value={draft.expiresAt}
          onChange={({ target }) => onChange({ expiresAt: target.value })}
          error={error}
        />
      )}
    </>
  )
}

const getLifetimeOptions = () => [
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: '365', label: t('One year') },
  { value: 'day', label: t('Custom date') },
  { value: 'never', label: t('Never') },
]

/** Returns undefined if the token never expires or the day is invalid. */
function getExpiry({ lifetime, expiresAt }: Draft): string | undefined {
  if (lifetime === 'never') return undefined
  return toEndOfDay(lifetime === 'day' ? expiresAt : getDayFromNow(Number(lifetime)))
}

function validate(draft: Draft): FieldErrors {
  const { name, lifetime, expiresAt } = draft
  return {
    ...(!name.trim() && { name: t('Enter a name.') }),
    ...(lifetime === 'day' &&
      (!getExpiry(draft)
        ? { expiresAt: t('Choose a day.') }
        : expiresAt < getDayFromNow(0) && { expiresAt: t('Choose today or a later day.') })),
  }
}

const TokenReadyDialog = ({ token, onClose }: { token: string; onClose: () => void }) => (
  <ShownOnceDialog
    title={t('API token ready')}
    label={t('Token')}
    value={token}
    hint={t('Anyone who has this token can use it. Send it in the Authorization header, after “Bearer”.')}
    onClose={onClose}
  />
)
