import { api } from '@neptune/contract'
import { call } from '../../api/client.ts'
import { useLinkChange } from './use-link-change.ts'

/** Hands over all links of a user, or the given ones. Returns how many. */
export const handOverLinks = ({ from, ...body }: { from: string; to: string; keys?: string[] }) =>
  call(api.link.handOver, { params: { id: from }, body }).then(({ data }) => data.links)

export const useHandOverLinks = () => useLinkChange(handOverLinks)
