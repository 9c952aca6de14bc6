import type { WebhookRow } from '@neptune/contract'
import { useMemo } from 'react'
import { useToast } from '../../components/feedback/toast.tsx'
import type { WebhookActions } from '../../features/webhook/webhook-menu.tsx'
import { useChangeWebhook, useTestWebhook } from '../../features/webhook/webhook-queries.ts'
import { getWebhookName } from '../../features/webhook/webhook-texts.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'

export function useWebhookActions(): WebhookActions {
  const open = useDialog()
  const toast = useToast()
  const { run: change } = useChangeWebhook({ isRepeatable: true, getSubject: ({ id }) => id })
  const { run: sendTest } = useTestWebhook()
  return useMemo(() => {
    const onError = ({ message }: Error) => toast({ message })
    const showDeliveries = (webhook: WebhookRow) => open({ kind: 'deliveries', webhook })
    return {
      showDeliveries,
      // The list of deliveries shows the outcome.
      sendTest: (webhook) => sendTest(webhook.id, { onSuccess: () => showDeliveries(webhook), onError }),
      edit: (webhook) => open({ kind: 'edit-webhook', webhook }),
      setPaused: (webhook, paused) => {
        const name = shortenName(getWebhookName(webhook))
        const message = paused
          ? t('Paused {name}. Events that happen while it’s paused won’t be sent.', { name })
          : t('Resumed {name}. You’re now its owner.', { name })
        change({ id: webhook.id, paused }, { onSuccess: () => toast({ message }), onError })
      },
      remove: (webhook) => open({ kind: 'delete-webhook', webhook }),
    }
  }, [open, toast, change, sendTest])
}
