import type { WebhookRow } from '@neptune/contract'
import { describeFailure } from '../../api/form-errors.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useRemoveWebhook } from '../../features/webhook/webhook-queries.ts'
import { getWebhookName } from '../../features/webhook/webhook-texts.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'

export function DeleteWebhookDialog({ webhook, onClose }: { webhook: WebhookRow; onClose: () => void }) {
  const remove = useRemoveWebhook()
  const toast = useToast()
  const name = shortenName(getWebhookName(webhook))
  const confirm = () =>
    remove.run(webhook.id, {
      onSuccess: () => {
        toast({ message: t('Deleted the webhook to {name}.', { name }) })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={t('Delete webhook')}
      description={t('{name} won’t receive any more events, and pending deliveries are dropped. You can’t undo this.', {
        name,
      })}
      confirmLabel={t('Delete webhook')}
      danger
      action={remove}
      error={describeFailure(remove.error, t('Nothing was deleted.'))}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
