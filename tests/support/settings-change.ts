import { expect } from 'vitest'
import type { Client } from './client.ts'

interface Section {
  version: number
  values: { default_days: number }
}

/**
 * Changes a setting through one client. Expects that all of them get the new value in replies to requests that they send a second later, and
 * that this client gets it at once.
 */
export async function expectChangeWithinSecond(changing: Client, all: Client[]): Promise<void> {
  const readDays = async (client: Client) =>
    (await client.requestData<{ links: Section['values'] }>('GET', '/v1/settings')).links.default_days
  const { links } = await changing.requestData<{ links: Section }>('GET', '/v1/admin/settings')
  const before = links.values.default_days
  for (const client of all) expect(await readDays(client)).toBe(before) // now every process has the old value
  const values = { default_days: before + 1 }
  await changing.requestData('PATCH', '/v1/admin/settings/links', { version: links.version, values })
  const changedAt = performance.now()
  expect(await readDays(changing)).toBe(before + 1)
  for (const client of all) {
    for (let days = before; days !== before + 1; ) {
      const sentAt = performance.now()
      days = await readDays(client)
      if (days === before) expect(sentAt - changedAt).toBeLessThan(1000)
    }
  }
}
