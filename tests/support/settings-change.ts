import { expect } from 'vitest'
import type { Client } from './client.ts'

interface Sections {
  organisation: { version: number }
  links: { version: number; values: { default_days: number } }
}

/**
 * Changes two settings through one client: the default lifetime of links, and the organisation's name, which is part of every page. Expects
 * that client to read the new values at once, and all clients to read them with every request that starts at least a second later.
 */
export async function expectChangeWithinSecond(changing: Client, all: Client[]): Promise<void> {
  const { links, organisation } = await changing.requestData<Sections>('GET', '/v1/admin/settings')
  const days = links.values.default_days + 1
  await expectWithinSecond(changing, all, `${days} days`, {
    change: () =>
      changing.requestData('PATCH', '/v1/admin/settings/links', { version: links.version, values: { default_days: days } }),
    read: async (client) =>
      `${(await client.requestData<{ links: { default_days: number } }>('GET', '/v1/settings')).links.default_days} days`,
  })
  const name = `Keller ${days}`
  await expectWithinSecond(changing, all, name, {
    change: () =>
      changing.requestData('PATCH', '/v1/admin/settings/organisation', { version: organisation.version, values: { name } }),
    read: async (client) => /<title>(.*)<\/title>/.exec((await client.send('GET', '/login'))?.text ?? '')?.[1] ?? '',
  })
}

interface Setting {
  change: () => Promise<unknown>
  read: (client: Client) => Promise<string>
}

async function expectWithinSecond(changing: Client, all: Client[], expected: string, { change, read }: Setting) {
  const before = await Promise.all(all.map(read)) // now every process has the old value
  expect(before).not.toContain(expected)
  await change()
  const changedAt = performance.now()
  expect(await read(changing)).toBe(expected)
  for (const client of all) {
    for (let value = ''; value !== expected; ) {
      const sentAt = performance.now()
      value = await read(client)
      if (value !== expected) expect(sentAt - changedAt).toBeLessThan(1000)
    }
  }
}
