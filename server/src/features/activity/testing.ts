import type { Office } from '../link/testing.ts'

export interface ListedEntry {
  id: number
  action: string
  outcome: string
  name: string | null
  sent_to: string | null
  person: string | null
  client: string | null
  note: string | null
  times: number
  bytes: number | null
}

export const fetchEntries = async (office: Office, query = '', who = office.admin): Promise<ListedEntry[]> =>
  (await office.call('GET', `/v1/activity${query}`, who)).json().data

/** Returns the audit entries that an action adds, oldest first. */
export async function collectEntriesDuring(office: Office, action: () => Promise<unknown>): Promise<ListedEntry[]> {
  const [last] = await fetchEntries(office, '?limit=1')
  await action()
  return (await fetchEntries(office, '?limit=200')).filter(({ id }) => id > (last?.id ?? 0)).toReversed()
}

export const actionsOf = (rows: ListedEntry[]) => rows.map(({ action }) => action)
