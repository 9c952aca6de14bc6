import { expect, it } from 'vitest'
import { openWebhookOffice } from './testing.ts'

it('shows an owner from another company as “An administrator” to users, and by name to admins', async () => {
  await using server = await openWebhookOffice()
  const { id } = await server.subscribe()
  const maker = async (who: typeof server.kim) => (await server.data('GET', '/v1/webhook', who))[0].maker
  expect([await maker(server.kim), await maker(server.admin)]).toEqual(['Kim Doe', 'Kim Doe'])
  await server.deps.db.updateTable('user').set({ name: 'Ada Admin' }).where('email', '=', 'admin@neptune.example').execute()
  const changed = await server.call('PATCH', `/v1/webhook/${id}`, server.admin, { events: ['upload'] })
  expect(changed.json().data.maker).toBe('Ada Admin')
  expect([await maker(server.kim), await maker(server.admin)]).toEqual(['An administrator', 'Ada Admin'])
})
