import { expect, it } from 'vitest'
import { openFileOffice } from './file/testing.ts'

// Statements of docs/spec.md about calls that no feature's own tests cover.

it('lists files and directories with the fields of the specification', async () => {
  await using server = await openFileOffice()
  const { data: file } = await server.put(server.directory, 'Offer.pdf', '%PDF-1.7\n')
  const files = await server.json(server.kim, 'GET', '/v1/file')
  const named = { id: file.id, file_name: 'Offer.pdf', content_type: 'application/pdf', client: 'Acme GmbH', directory: 'Plans' }
  expect(files.data).toMatchObject([{ ...named, size: 9, image: null }])
  const directories = await server.json(server.kim, 'GET', '/v1/directory?company=')
  expect(directories.data).toMatchObject([{ id: server.directory, directory: 'Plans', size: 9, source: null }])
})

it('assigns a directory to its creator, or to the user an admin names', async () => {
  await using server = await openFileOffice()
  const readUserId = async (who: typeof server.kim) => (await server.json(who, 'GET', '/v1/identity')).data.id as string
  const [kim, eve] = [await readUserId(server.kim), await readUserId(server.eve)]
  const create = async (who: typeof server.kim, directory: string, user: string) => {
    const { data } = await server.json(who, 'POST', '/v1/directory', { directory, client: server.company, user })
    const row = await server.deps.db
      .selectFrom('directory')
      .select('owner_id')
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow()
    return row.owner_id
  }
  expect(await create(server.kim, 'Own', kim)).toBe(kim)
  expect(await create(server.kim, 'For another', eve)).toBe(kim) // only admins can create one for someone else
  expect(await create(server.admin, 'For Kim', kim)).toBe(kim)
  const body = { directory: 'For nobody', client: server.company, user: 'absent' }
  expect(await server.json(server.admin, 'POST', '/v1/directory', body)).toMatchObject({ status: 404, code: 'user.not_found' })
})
