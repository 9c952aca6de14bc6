import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What changed. `access`: the recipient's link, or its expiry. */
export const ChangeTopic = z.enum(['access', 'file', 'directory', 'link', 'company', 'user', 'other'])
export type ChangeTopic = z.infer<typeof ChangeTopic>

export const live = {
  read: endpoint({
    method: 'GET',
    path: '/v1/live',
    access: 'shared',
    summary:
      'Get notifications of changes as server-sent events. `open`: changes are reported from now on. `change`: the data is a list of the topics that changed; load them again',
    reply: 'events',
    errors: ['server.busy'],
  }),
}
