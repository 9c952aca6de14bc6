import type { WebhookRow } from '@neptune/contract'
import { useState } from 'react'
import { useIsAdmin, useSession } from '../../api/session.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { CompanyField } from '../../features/company/company-field.tsx'
import { useChangeWebhook, useCreateWebhook } from '../../features/webhook/webhook-queries.ts'
import { webhookName } from '../../features/webhook/webhook-texts.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { shortName } from '../../lib/short-name.ts'
import { clearErrors, describeFailure, describeFieldErrors, type FieldErrors } from '../shared/form-problem.ts'
import { ShownOnceDialog } from '../shared/shown-once-dialog.tsx'
import { findMissing, type WebhookDraft, WebhookFields } from './webhook-fields.tsx'

export function CreateWebhookDialog({
  company: initialCompany = '',
  onClose,
}: {
  company: string | undefined
  onClose: () => void
}) {
  const isAdmin = useIsAdmin()
  const ownCompany = useOwnCompany()
  const [chosen, setChosen] = useState(initialCompany)
  const company = isAdmin ? chosen : ownCompany
  const [draft, setDraft] = useState<WebhookDraft>({ url: '', events: [] })
  const [missing, setMissing] = useState<FieldErrors>({})
  const create = useCreateWebhook()

  const confirm = () => {
    const empty = { ...(!company && { company: t('Choose a company.') }), ...findMissing(draft) }
    setMissing(empty)
    create.reset()
    if (Object.keys(empty).length === 0) create.run({ company, ...draft })
  }
  if (create.result) return <SecretDialog secret={create.result.secret} onClose={onClose} />

  const failureTitle = t('The webhook was not created.')
  const { fields, error } = create.error
    ? describeFailure(create.error, failureTitle, { 'company.not_found': 'company' })
    : describeFieldErrors(failureTitle, missing)
  return (
    <DialogFrame
      title={t('Create webhook')}
      description={t('Sends a company’s events to an address you choose, signed with a secret.')}
      confirmLabel={t('Create webhook')}
      action={create}
      dirty={draft.url !== '' || draft.events.length > 0}
      error={create.error || Object.keys(missing).length > 0 ? error : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isAdmin && (
        <CompanyField
          name="company"
          value={company}
          onChange={({ target }) => {
            setChosen(target.value)
            setMissing(clearErrors(missing, ['company']))
          }}
          error={fields['company']}
        />
      )}
      <WebhookFields
        draft={draft}
        onChange={(changes) => {
          setDraft({ ...draft, ...changes })
          setMissing(clearErrors(missing, Object.keys(changes)))
        }}
        errors={fields}
      />
    </DialogFrame>
  )
}

/** Returns the user's own company. Only admins can choose another one. */
function useOwnCompany(): string {
  const session = useSession()
  return session.kind === 'signed-in' ? session.info.company : ''
}

const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <ShownOnceDialog
    title={t('Webhook ready')}
    label={t('Secret')}
    value={secret}
    hint={tNodes('Your program uses it to verify that a delivery came from Neptune: see {page}.', {
      page: <code>docs/webhooks.md</code>,
    })}
    onClose={onClose}
  />
)

export function EditWebhookDialog({ webhook, onClose }: { webhook: WebhookRow; onClose: () => void }) {
  const { id, url, events } = webhook
  const [draft, setDraft] = useState<WebhookDraft>({ url, events })
  const [missing, setMissing] = useState<FieldErrors>({})
  const change = useChangeWebhook()
  const toast = useToast()

  const confirm = () => {
    const empty = findMissing(draft)
    setMissing(empty)
    change.reset()
    if (Object.keys(empty).length > 0) return
    change.run(
      { id, ...draft },
      {
        onSuccess: (changed) => {
          toast({ message: t('Changed the webhook to {name}.', { name: shortName(webhookName(changed)) }) })
          onClose()
        },
      },
    )
  }
  const failureTitle = t('The webhook was not changed.')
  const { fields, error } = change.error
    ? describeFailure(change.error, failureTitle)
    : describeFieldErrors(failureTitle, missing)
  return (
    <DialogFrame
      title={t('Edit webhook')}
      description={t('If you change a webhook, you become its owner. Its secret stays the same.')}
      confirmLabel={t('Save')}
      action={change}
      dirty={draft.url !== url || draft.events.join() !== events.join()}
      error={change.error || Object.keys(missing).length > 0 ? error : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <WebhookFields
        draft={draft}
        onChange={(changes) => {
          setDraft({ ...draft, ...changes })
          setMissing(clearErrors(missing, Object.keys(changes)))
        }}
        errors={fields}
      />
    </DialogFrame>
  )
}
