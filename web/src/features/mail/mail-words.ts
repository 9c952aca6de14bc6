import type { MailRow, MailState } from '@neptune/contract'

export const letterNames: Record<MailRow['letter'], string> = {
  test: 'Test mail',
  password_reset: 'New password',
  password_changed: 'Password changed',
}

export const stateNames: Record<MailState, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  unconfirmed: 'Unconfirmed',
}

export const stateOptions = Object.entries(stateNames).map(([value, label]) => ({ value, label }))
