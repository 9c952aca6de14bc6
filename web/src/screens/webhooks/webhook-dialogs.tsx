import type { WebhookRow } from '@neptune/contract'
import { useHasSeveralCompanies, useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useChangeWebhook, useCreateWebhook } from '../../features/webhook/webhook-queries.ts'
import { getWebhookName } from '../../features/webhook/webhook-texts.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { shortenName } from '../../lib/shorten-name.ts'
import { CompanyField } from '../shared/dialogs/company-field.tsx'
import { ShownOnceDialog } from '../shared/dialogs/shown-once-dialog.tsx'
import { findMissing, type WebhookDraft, WebhookFields } from './webhook-fields.tsx'

export function CreateWebhookDialog({ company: initialCompany = '', onClose }: { company?: string; onClose: () => void }) {
  const hasSeveralCompanies = useHasSeveralCompanies()
  const ownCompany = useOwnCompany()
  const create = useCreateWebhook()
  const form = useForm<WebhookDraft & { company: string }>({
    initial: { company: hasSeveralCompanies ? initialCompany : ownCompany, url: '', events: [] },
    action: create,
    failureTitle: t('The webhook was not created.'),
    fieldByCode: { 'company.not_found': 'company' },
    validate: (draft) => ({ ...(!draft.company && { company: t('Choose a company.') }), ...findMissing(draft) }),
    submit: (draft) => create.run(draft),
  })
  if (create.result) return <SecretDialog secret={create.result.secret} onClose={onClose} />
  return (
    <DialogFrame
      title={t('Create webhook')}
      description={t('Sends a company’s events to an address you choose, signed with a secret.')}
      confirmLabel={t('Create webhook')}
      {...form.dialog}
      onClose={onClose}
    >
      {hasSeveralCompanies && (
        <CompanyField
          name="company"
          value={form.draft.company}
          error={form.errors['company']}
          onChoose={(company) => form.change({ company })}
        />
      )}
      <WebhookFields draft={form.draft} onChange={form.change} errors={form.errors} />
    </DialogFrame>
  )
}

/** Returns the user's own company. Only people with access to several companies can choose another one. */
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
  const change = useChangeWebhook()
  const toast = useToast()
  const form = useForm<WebhookDraft>({
    initial: { url, events },
    action: change,
    failureTitle: t('The webhook was not changed.'),
    validate: findMissing,
    submit: (draft) =>
      change.run(
        { id, ...draft },
        {
          onSuccess(changed) {
            toast({ message: t('Saved the changes to {name}.', { name: shortenName(getWebhookName(changed)) }) })
            onClose()
          },
        },
      ),
  })
  return (
    <DialogFrame
      title={t('Edit webhook')}
      description={t('If you change a webhook, you become its owner. Its secret stays the same.')}
      confirmLabel={t('Save')}
      {...form.dialog}
      onClose={onClose}
    >
      <WebhookFields draft={form.draft} onChange={form.change} errors={form.errors} />
    </DialogFrame>
  )
}
