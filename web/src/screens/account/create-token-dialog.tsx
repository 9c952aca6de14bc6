import type { TokenScope } from '@neptune/contract'
import { useState } from 'react'
import { DateField, SelectField, TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useCreateToken } from '../../features/token/token-queries.ts'
import { scopeEffects, scopeOptions } from '../../features/token/token-texts.tsx'
import { t } from '../../i18n/t.ts'
import { formatDate } from '../../lib/time/dates.ts'
import { dayFromNow, endOfDay } from '../../lib/time/days.ts'
import { describeFailure, describeFieldErrors } from '../shared/form-problem.ts'
import { ShownOnceDialog } from '../shared/shown-once-dialog.tsx'

const failureTitle = 'The token was not created.'

const emptyDraft = { name: '', scope: 'read' as TokenScope, lifetime: '90', day: '' }

export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(emptyDraft)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const create = useCreateToken()
  const change = (changes: Partial<typeof emptyDraft>) => setDraft({ ...draft, ...changes })

  const confirm = () => {
    const invalid = validate(draft)
    setErrors(invalid)
    create.reset()
    if (Object.keys(invalid).length > 0) return
    const expiresAt = getExpiry(draft)
    create.run({ name: draft.name, scope: draft.scope, ...(expiresAt !== undefined && { expiresAt }) })
  }
  if (create.result) return <TokenReadyDialog token={create.result.token} onClose={onClose} />

  const { fields, error } = create.error
    ? describeFailure(create.error, t(failureTitle))
    : describeFieldErrors(t(failureTitle), errors)
  return (
    <DialogFrame
      title={t('Create API token')}
      description={t('A script with this token acts as you, with the permissions you have at that time.')}
      confirmLabel={t('Create token')}
      action={create}
      dirty={JSON.stringify(draft) !== JSON.stringify(emptyDraft)}
      error={create.error || Object.keys(errors).length > 0 ? error : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        name="name"
        required
        autoComplete="off"
        maxLength={120}
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
        hint={t('What the token is for, such as “Nightly backup”.')}
        error={fields['name']}
      />
      <SelectField
        label={t('Scope')}
        name="scope"
        required
        options={scopeOptions()}
        value={draft.scope}
        onChange={({ target }) => change({ scope: target.value as TokenScope })}
        hint={t(scopeEffects[draft.scope])}
        error={fields['scope']}
      />
      <Expiry draft={draft} onChange={change} error={fields['expiresAt']} />
    </DialogFrame>
  )
}

interface ExpiryProps {
  draft: typeof emptyDraft
  onChange: (changes: { lifetime?: string; day?: string }) => void
  error: string | undefined
}

function Expiry({ draft, onChange, error }: ExpiryProps) {
  const isCustomDay = draft.lifetime === 'day'
  const expiry = getExpiry(draft)
  return (
    <>
      <SelectField
        label={t('Expiry')}
        name={isCustomDay ? 'lifetime' : 'expiresAt'}
        required
        options={lifetimeOptions()}
        value={draft.lifetime}
        onChange={({ target }) => onChange({ lifetime: target.value })}
        hint={expiry ? t('Valid until {date}.', { date: formatDate(expiry) }) : !isCustomDay && t('Valid until it’s revoked.')}
        error={isCustomDay ? undefined : error}
      />
      {isCustomDay && (
        <DateField
          label={t('Last day')}
          name="expiresAt"
          required
          min={dayFromNow(0)}
          value={draft.day}
          onChange={({ target }) => onChange({ day: target.value })}
          error={error}
        />
      )}
    </>
  )
}

const lifetimeOptions = () => [
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: '365', label: t('One year') },
  { value: 'day', label: t('Custom date') },
  { value: 'never', label: t('Never') },
]

/** Returns undefined if the token never expires or the day is invalid. */
function getExpiry({ lifetime, day }: typeof emptyDraft): string | undefined {
  if (lifetime === 'never') return undefined
  return endOfDay(lifetime === 'day' ? day : dayFromNow(Number(lifetime)))
}

function validate(draft: typeof emptyDraft): Record<string, string> {
  const { name, lifetime, day } = draft
  return {
    ...(!name.trim() && { name: t('Enter a name.') }),
    ...(lifetime === 'day' &&
      (!getExpiry(draft)
        ? { expiresAt: t('Choose a day.') }
        : day < dayFromNow(0) && { expiresAt: t('Choose today or a later day.') })),
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
