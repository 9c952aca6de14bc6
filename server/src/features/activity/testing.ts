import type { Office } from '../link/testing.ts'

export interface Row {
  id: number
  action: string
  outcome: string
  name: string | null
  person: string | null
  client: string | null
  note: string | null
  times: number
  bytes: number | null
}

export const listEntries = async (office: Office, query = '', who = office.admin): Promise<Row[]> =>
  (await office.call('GET', `/v1/activity${query}`, who)).json().data

/** Returns the audit entries that an action adds, oldest first. */
export async function entriesDuring(office: Office, action: () => Promise<unknown>): Promise<Row[]> {
  const [last] = await listEntries(office, '?limit=1')
  await action()
  return (await listEntries(office, '?limit=200')).filter(({ id }) => id > (last?.id ?? 0)).toReversed()
}

export const actionsOf = (rows: Row[]) => rows.map(({ action }) => action)
