import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const stats = {
  read: endpoint({
    method: 'GET',
    path: '/v1/stats',
    access: 'staff',
    summary: 'How many links, directories and files there are: of every company for admins, of their own for users',
    reply: z.object({ data: z.object({ links: z.number(), directories: z.number(), files: z.number() }) }),
  }),
}
