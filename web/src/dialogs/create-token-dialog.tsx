import type { TokenScope } from '@neptune/contract'
import { useState } from 'react'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { DateField, SelectField, TextField } from '../components/field.tsx'
import { useCreateToken } from '../features/token/token-queries.ts'
import { scopeEffects, scopeOptions } from '../features/token/token-words.tsx'
import { formatDate } from '../lib/dates.ts'
import { dayFromNow, endOfDay } from '../lib/days.ts'
import { t } from '../words/t.ts'
import { emptyProblem, problemOf } from './form-problem.ts'
import { ShownOnceDialog } from './shown-once-dialog.tsx'

const failed = 'The token was not created.'

const blank = { name: '', scope: 'read' as TokenScope, lasts: '90', day: '' }

export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(blank)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const create = useCreateToken()
  const change = (changes: Partial<typeof blank>) => setDraft({ ...draft, ...changes })

  const confirm = () => {
    const found = findFaults(draft)
    setFaults(found)
    create.reset()
    if (Object.keys(found).length > 0) return
    const expiresAt = endOf(draft)
    create.run({ name: draft.name, scope: draft.scope, ...(expiresAt !== undefined && { expiresAt }) })
  }
  if (create.result) return <Made token={create.result.token} onClose={onClose} />

  const { fields, error } = create.error ? problemOf(create.error, t(failed)) : emptyProblem(t(failed), faults)
  return (
    <DialogFrame
      title={t('Create API Token')}
      description={t('A script with this token acts as you, with the permissions you have at that time.')}
      confirmLabel={t('Create Token')}
      action={create}
      dirty={JSON.stringify(draft) !== JSON.stringify(blank)}
      error={create.error || Object.keys(faults).length > 0 ? error : undefined}
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
  draft: typeof blank
  onChange: (changes: { lasts?: string; day?: string }) => void
  error: string | undefined
}

function Expiry({ draft, onChange, error }: ExpiryProps) {
  const isDay = draft.lasts === 'day'
  const end = endOf(draft)
  return (
    <>
      <SelectField
        label={t('Expiry')}
        name={isDay ? 'lasts' : 'expiresAt'}
        required
        options={lastsOptions()}
        value={draft.lasts}
        onChange={({ target }) => onChange({ lasts: target.value })}
        hint={end ? t('Valid until {date}.', { date: formatDate(end) }) : !isDay && t('Valid until it’s revoked.')}
        error={isDay ? undefined : error}
      />
      {isDay && (
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

const lastsOptions = () => [
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: '365', label: t('One year') },
  { value: 'day', label: t('Custom date') },
  { value: 'never', label: t('Never') },
]

/** Undefined: never, or no such day. */
function endOf({ lasts, day }: typeof blank): string | undefined {
  if (lasts === 'never') return undefined
  return endOfDay(lasts === 'day' ? day : dayFromNow(Number(lasts)))
}

function findFaults(draft: typeof blank): Record<string, string> {
  const { name, lasts, day } = draft
  return {
    ...(!name.trim() && { name: t('Enter a name.') }),
    ...(lasts === 'day' &&
      (!endOf(draft)
        ? { expiresAt: t('Choose a day.') }
        : day < dayFromNow(0) && { expiresAt: t('Choose today or a later day.') })),
  }
}

const Made = ({ token, onClose }: { token: string; onClose: () => void }) => (
  <ShownOnceDialog
    title={t('API Token Ready')}
    label={t('Token')}
    value={token}
    hint={t('Anyone who has this token can use it. Send it in the Authorization header, after “Bearer”.')}
    onClose={onClose}
  />
)
