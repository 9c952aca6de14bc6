import type { DeliveryState, WebhookRow } from '@neptune/contract'
import { useState } from 'react'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { DeliveryList } from '../features/webhook/delivery-list.tsx'
import { testHeld } from '../features/webhook/webhook-menu.tsx'
import { useFreshListAfter, useTestWebhook } from '../features/webhook/webhook-queries.ts'
import { nameOf } from '../features/webhook/webhook-words.ts'
import { shortName } from '../lib/short-name.ts'
import { t } from '../words/t.ts'
import { problemOf } from './form-problem.ts'

/** What became of each delivery; and a test, to see what becomes of one. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: WebhookRow; onClose: () => void }) {
  const [state, setState] = useState<DeliveryState>()
  const test = useTestWebhook()
  useFreshListAfter()
  const send = () => {
    setState(undefined) // or the new one might be hidden
    test.run(webhook.id)
  }
  return (
    <DialogFrame
      title={t('Deliveries')}
      description={t('Deliveries to {name} in the last 30 days.', { name: shortName(nameOf(webhook)) })}
      confirmLabel={t('Send test')}
      cancelLabel={t('Close')}
      confirmDisabledReason={testHeld(webhook)}
      action={test}
      error={test.error ? problemOf(test.error, t('The test was not sent.')).error : undefined}
      onConfirm={send}
      onClose={onClose}
    >
      <DeliveryList webhook={webhook} state={state} onState={setState} />
    </DialogFrame>
  )
}
