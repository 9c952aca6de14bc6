import type { WebhookRow } from '@neptune/contract'
import { ArrowIcon, ClockIcon, MoreIcon, PauseIcon, PencilIcon, ResumeIcon, TrashIcon } from '../../components/icons.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import type { RowMenu } from '../../components/table/use-row-menu.tsx'
import { t } from '../../i18n/t.ts'
import { getWebhookName } from './webhook-texts.ts'

export interface WebhookActions {
  showDeliveries: (webhook: WebhookRow) => void
  sendTest: (webhook: WebhookRow) => void
  edit: (webhook: WebhookRow) => void
  setPaused: (webhook: WebhookRow, paused: boolean) => void
  remove: (webhook: WebhookRow) => void
}

interface WebhookMenuProps {
  webhook: WebhookRow
  /** Differs from the labels of all other webhooks. */
  label: string
  actions: WebhookActions
}

export const WebhookMenu = ({ webhook, label, actions }: WebhookMenuProps) => (
  <Menu {...createWebhookMenu(webhook, actions, label)} align="end" trigger={<MoreIcon />} />
)

/** Creates the menu of a webhook, for the “more” button and for the context menu. */
export function createWebhookMenu(webhook: WebhookRow, actions: WebhookActions, name = getWebhookName(webhook)): RowMenu {
  const { paused } = webhook
  const pauseOrResume = paused ? { label: t('Resume'), icon: <ResumeIcon /> } : { label: t('Pause'), icon: <PauseIcon /> }
  return {
    label: t('Actions for {name}', { name }),
    items: [
      { label: t('Deliveries'), icon: <ClockIcon />, onSelect: () => actions.showDeliveries(webhook) },
      {
        label: t('Send test'),
        icon: <ArrowIcon />,
        disabledReason: getTestDisabledReason(webhook),
        onSelect: () => actions.sendTest(webhook),
      },
      { label: t('Edit'), icon: <PencilIcon />, onSelect: () => actions.edit(webhook) },
      { ...pauseOrResume, onSelect: () => actions.setPaused(webhook, !paused) },
      'separator',
      { label: t('Delete'), icon: <TrashIcon />, danger: true, onSelect: () => actions.remove(webhook) },
    ],
  }
}

/** Returns why a test can’t be sent; undefined if it can. */
export const getTestDisabledReason = ({ paused }: WebhookRow) => (paused ? t('It’s paused. Resume it first.') : undefined)
