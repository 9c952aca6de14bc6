import * as z from 'zod/mini'
import { Id, Role } from './common.ts'

/** A member of staff, as everyone who may see them does. */
export const User = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  company: Id,
  company_name: z.string(),
  role: Role,
})
export type User = z.infer<typeof User>
