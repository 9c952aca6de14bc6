import { expect, it } from 'vitest'
import { openWebhookOffice } from './testing.ts'

it('of an admin from elsewhere, a webhook tells users of the company no more than that; admins see who it is', async () => {
  await using server = await openWebhookOffice()
  const { id } = await server.listen()
  const maker = async (who: typeof server.kim) => (await server.data('GET', '/v1/webhook', who))[0].maker
  expect([await maker(server.kim), await maker(server.admin)]).toEqual(['Kim Doe', 'Kim Doe'])
  await server.deps.db.updateTable('user').set({ name: 'Ada Admin' }).where('email', '=', 'admin@neptune.example').execute()
  const changed = await server.call('PATCH', `/v1/webhook/${id}`, server.admin, { events: ['upload'] })
  expect(changed.json().data.maker).toBe('Ada Admin')
  expect([await maker(server.kim), await maker(server.admin)]).toEqual(['An administrator', 'Ada Admin'])
})
