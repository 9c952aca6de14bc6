import { type Args, api } from '@neptune/contract'
import { call } from '../../api/client.ts'
import { useLinkChange } from './use-link-change.ts'

/** Hands over a user’s links: all, the given ones, or those that they could not own with reduced access. Returns how many. */
export const handOverLinks = ({ from, ...body }: Args<typeof api.link.handOver>['body'] & { from: string }) =>
  call(api.link.handOver, { params: { id: from }, body }).then(({ data }) => data.links)

export const useHandOverLinks = () => useLinkChange(handOverLinks)
