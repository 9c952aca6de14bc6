import type { Args, api } from '@neptune/contract'
import { findFieldErrors } from '../../api/form-errors.ts'
import { createLink, emailLink, reserveLink } from './link-queries.ts'
import type { ReadyLink } from './ready-link.ts'
import { useLinkChange } from './use-link-change.ts'

type CreateBody = Args<typeof api.link.create>['body']
type EmailBody = Args<typeof api.link.email>['body']

interface Share {
  place: { company: string; directory: string }
  link: Omit<CreateBody, 'key' | 'accessCode'>
  recipients: readonly string[]
  email: Omit<EmailBody, 'key' | 'targetEmail'>
}

/** The new link, and which of the emails could be sent. */
export interface Shared {
  ready: ReadyLink
  sentTo: readonly string[]
  unsent: readonly { address: string; reason: string }[]
}

/** Returns an action that creates a link and then sends it to each recipient. If one email fails, the others are still sent. */
export const useShare = (onShared: (shared: Shared) => void) =>
  useLinkChange(
    async ({ place, link: body, recipients, email }: Share): Promise<Shared> => {
      const { key, accessCode } = await reserveLink(place)
      const link = await createLink({ ...body, key, accessCode })
      const outcomes = []
      for (const address of recipients) {
        const reason = await emailLink({ key, targetEmail: address, ...email }).then(
          () => undefined,
          (failure: Error) => Object.values(findFieldErrors(failure, {}))[0] ?? failure.message,
        )
        outcomes.push({ address, reason })
      }
      return {
        ready: { link, accessCode, isReset: false },
        sentTo: outcomes.flatMap(({ address, reason }) => (reason === undefined ? [address] : [])),
        unsent: outcomes.flatMap(({ address, reason }) => (reason === undefined ? [] : [{ address, reason }])),
      }
    },
    { onSuccess: onShared },
  )
