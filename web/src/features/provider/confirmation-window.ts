import { api } from '@neptune/contract'
import { call } from '../../api/client.ts'
import { takeConfirmedSession } from '../../api/session.ts'
import { wasRemembered } from '../../lib/storage/remembered.ts'
import { paths } from '../../paths.ts'
import { getStartUrl } from './start-at-provider.ts'

/** Connects the confirmation window with the one that opened it. `Cross-Origin-Opener-Policy` cuts every other connection. */
const channelName = 'neptune.confirmation'

/** The query parameter that marks the login page in the confirmation window. */
export const confirmationParameter = 'confirm'

/** What the confirmation window reports: `confirmed`, or the code of an error (provider-outcomes.ts). */
type Report = string

/** Opens a window in which the user confirms their identity at a provider. Returns false if the browser blocks it. */
export function openConfirmationWindow(provider: string): boolean {
  const to = `${paths.login}?${confirmationParameter}=1`
  return (
    window.open(getStartUrl(provider, { to, fresh: true, remember: wasRemembered() }), '_blank', 'popup,width=520,height=720') !==
    null
  )
}

export function listenToConfirmation(onReport: (report: Report) => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => onReport(String(data))
  return () => channel.close()
}

export function reportConfirmation(report: Report): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(report)
  channel.close()
}

/**
 * Continues with the session that the sign-in at the provider has started, and ends the previous one, which is no longer needed.
 * Returns false if someone else has signed in there.
 */
export async function continueWithNewSession(): Promise<boolean> {
  const previous = await findCurrentSession()
  if (!(await takeConfirmedSession())) return false
  const current = await findCurrentSession()
  if (previous !== undefined && current !== undefined && previous !== current)
    await call(api.identity.endSession, { params: { id: previous } }).catch(() => undefined)
  return true
}

const findCurrentSession = async () => (await call(api.identity.sessions, {})).data.find(({ current }) => current)?.id
