import type { DeliveryState, WebhookRow } from '@neptune/contract'
import { useState } from 'react'
import { describeFailure } from '../../api/form-errors.ts'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { DeliveryList } from '../../features/webhook/delivery-list.tsx'
import { getTestDisabledReason } from '../../features/webhook/webhook-menu.tsx'
import { useRefreshWebhooksOnLeave, useTestWebhook } from '../../features/webhook/webhook-queries.ts'
import { getWebhookName } from '../../features/webhook/webhook-texts.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'

/** Lists a webhook's deliveries with their outcome, and sends test deliveries. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: WebhookRow; onClose: () => void }) {
  const [state, setState] = useState<DeliveryState>()
  const test = useTestWebhook()
  useRefreshWebhooksOnLeave()
  const sendTest = () => {
    setState(undefined) // the filter could hide the new delivery
    test.run(webhook.id)
  }
  return (
    <DialogFrame
      title={t('Deliveries')}
      description={t('Deliveries to {name} in the last 30 days.', { name: shortenName(getWebhookName(webhook)) })}
      confirmLabel={t('Send test')}
      cancelLabel={t('Close')}
      confirmDisabledReason={getTestDisabledReason(webhook)}
      action={test}
      error={describeFailure(test.error, t('The test was not sent.'))}
      onConfirm={sendTest}
      onClose={onClose}
    >
      <DeliveryList webhook={webhook} state={state} onStateChange={setState} />
    </DialogFrame>
  )
}
