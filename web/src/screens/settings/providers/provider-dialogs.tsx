import { hiddenPassword, type ProviderRow } from '@neptune/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { describeFailure } from '../../../api/form-errors.ts'
import { useForm } from '../../../api/use-form.ts'
import { classNames } from '../../../components/class-names.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { Button } from '../../../components/form/button.tsx'
import { AlertIcon } from '../../../components/icons.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import {
  emptyDraft,
  findProviderChanges,
  losesSecret,
  mergeDraft,
  type ProviderDraft,
  toNewProvider,
  toProviderDraft,
  validateDraft,
} from '../../../features/provider/provider-draft.ts'
import {
  providersQuery,
  useChangeProvider,
  useCreateProvider,
  useRemoveProvider,
  useTestProvider,
} from '../../../features/provider/provider-queries.ts'
import { ProviderTestResult } from '../../../features/provider/provider-test.tsx'
import { explainLastWayIn, providerLabels } from '../../../features/provider/provider-texts.ts'
import { t } from '../../../i18n/t.ts'
import css from './provider-dialogs.module.css'
import { ClientFields, RuleFields } from './provider-fields.tsx'

const c = classNames(css)

interface DialogProps {
  onClose: () => void
}

export function CreateProviderDialog({ onClose }: DialogProps) {
  const create = useCreateProvider()
  const toast = useToast()
  const form = useForm<ProviderDraft>({
    initial: emptyDraft,
    action: create,
    failureTitle: t('The provider was not added.'),
    fieldByCode: { 'company.not_found': 'create.company' },
    validate: validateDraft,
    submit: (draft) =>
      create.run(toNewProvider(draft), {
        onSuccess({ data: { name } }) {
          toast({ message: t('Added {name}. People can sign in with it now.', { name }) })
          onClose()
        },
      }),
  })
  const fields = { draft: form.draft, errors: form.errors, onChange: form.change }
  return (
    <DialogFrame title={t('Add a provider')} confirmLabel={t('Add provider')} {...form.dialog} onClose={onClose}>
      <ClientFields {...fields} secretHint={t('Neptune stores it encrypted and never shows it again.')} />
      <TestProvider draft={form.draft} onInvalid={form.setErrors} />
      <RuleFields {...fields} />
    </DialogFrame>
  )
}

/** Edits a provider. If another admin has changed it in the meantime, lists the changed fields and keeps what was entered here. */
export function EditProviderDialog({ provider, onClose }: DialogProps & { provider: ProviderRow }) {
  const [base, setBase] = useState(provider)
  const [remoteChanges, setRemoteChanges] = useState<readonly (keyof ProviderDraft)[]>()
  const queries = useQueryClient()
  const change = useChangeProvider()
  const toast = useToast()
  const form = useForm<ProviderDraft>({
    initial: () => toProviderDraft(provider),
    action: change,
    failureTitle: t('The provider was not changed.'),
    fieldByCode: { 'company.not_found': 'create.company' },
    validate: validateDraft,
    submit: (draft) =>
      change.run(
        { id: base.id, version: base.version, ...findProviderChanges(base, draft) },
        {
          onSuccess({ data: { name } }) {
            toast({ message: t('Saved the changes to {name}.', { name }) })
            onClose()
          },
          onError: (error) => error instanceof ApiError && error.code === 'settings.changed' && void rebase(draft),
        },
      ),
  })
  async function rebase(draft: ProviderDraft) {
    const { data } = await queries.fetchQuery({ ...providersQuery(), staleTime: 0 })
    const saved = data.find(({ id }) => id === base.id)
    if (!saved) return
    const merged = mergeDraft(base, saved, draft)
    form.restart(merged.initial, merged.draft)
    setBase(saved)
    setRemoteChanges(merged.changed)
  }
  const discard = () => {
    form.restart(toProviderDraft(base))
    setRemoteChanges(undefined)
  }
  const fields = { draft: form.draft, errors: form.errors, onChange: form.change }
  return (
    <DialogFrame title={t('Edit {name}', { name: base.name })} confirmLabel={t('Save')} {...form.dialog} onClose={onClose}>
      {remoteChanges && <RemoteChanges fields={remoteChanges} onDiscard={discard} />}
      <ClientFields {...fields} secretHint={describeSecret(base, form.draft)} />
      <TestProvider id={base.id} draft={form.draft} onInvalid={form.setErrors} />
      <RuleFields {...fields} />
    </DialogFrame>
  )
}

function describeSecret(base: ProviderRow, draft: ProviderDraft): string {
  if (losesSecret(base, draft)) return t('The saved secret was for the previous issuer and client. Enter the secret again.')
  return base.client_secret === hiddenPassword
    ? t('A secret is saved. Leave this empty to keep it.')
    : t('Neptune stores it encrypted and never shows it again.')
}

function RemoteChanges({ fields, onDiscard }: { fields: readonly (keyof ProviderDraft)[]; onDiscard: () => void }) {
  return (
    <div role="alert" className={c('notice')}>
      <AlertIcon />
      <div>
        <p className={c('noticeTitle')}>{t('Someone else has changed these settings in the meantime.')}</p>
        {fields.length > 0 && <p>{fields.map((field) => t(providerLabels[field])).join(', ')}</p>}
        <p>{t('Your changes are still here, but not saved. Save them, or discard them and use the new settings.')}</p>
        <Button onClick={onDiscard}>{t('Use the new settings')}</Button>
      </div>
    </div>
  )
}

interface TestProviderProps {
  id?: string
  draft: ProviderDraft
  onInvalid: (errors: Record<string, string>) => void
}

/** Tests the entered values before they are saved. */
function TestProvider({ id, draft, onInvalid }: TestProviderProps) {
  const test = useTestProvider()
  const { issuer, client_id, client_secret } = toNewProvider(draft)
  const entered = {
    ...(id !== undefined && { id }),
    issuer,
    client_id,
    client_secret: client_secret ?? (id === undefined ? null : hiddenPassword),
  }
  const run = () => {
    const { issuer, client_id } = validateDraft(draft)
    const errors = { ...(issuer !== undefined && { issuer }), ...(client_id !== undefined && { client_id }) }
    onInvalid(errors)
    test.reset()
    if (Object.keys(errors).length === 0) test.run(entered)
  }
  /** Whether the result is for the values that are entered now. */
  const isCurrent = !test.isBusy && JSON.stringify(test.input) === JSON.stringify(entered)
  return (
    <div className={c('test')}>
      <Button busy={test.isBusy} onClick={run}>
        {t('Test (a connection)')}
      </Button>
      <ProviderTestResult result={isCurrent ? test.result?.data : undefined} error={test.error} />
    </div>
  )
}

export function DeleteProviderDialog({ provider: { id, name }, onClose }: DialogProps & { provider: ProviderRow }) {
  const remove = useRemoveProvider()
  const toast = useToast()
  return (
    <DialogFrame
      title={t('Delete {name}?', { name })}
      description={t('Nobody will be able to sign in with it any more. People who are signed in stay signed in.')}
      confirmLabel={t('Delete provider')}
      danger
      action={remove}
      error={describeFailure(remove.error && explainLastWayIn(remove.error), t('Nothing was deleted.'))}
      onConfirm={() =>
        remove.run(id, {
          onSuccess() {
            toast({ message: t('Deleted {name}.', { name }) })
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
