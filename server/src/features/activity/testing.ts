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

export const listed = async (office: Office, query = '', who = office.admin): Promise<Row[]> =>
  (await office.call('GET', `/v1/activity${query}`, who)).json().data

/** What happens while `deed` is done, the oldest first. */
export async function told(office: Office, deed: () => Promise<unknown>): Promise<Row[]> {
  const [last] = await listed(office, '?limit=1')
  await deed()
  return (await listed(office, '?limit=200')).filter(({ id }) => id > (last?.id ?? 0)).toReversed()
}

export const actionsOf = (rows: Row[]) => rows.map(({ action }) => action)
