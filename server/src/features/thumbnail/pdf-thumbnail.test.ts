import sharp from 'sharp'
import { expect, it } from 'vitest'
import { buildPdf } from '../../media/testing-pdf.ts'
import { openFileOffice } from '../file/testing.ts'
import { requestOlderThumbnails } from './older-files.service.ts'
import { drawWantedThumbnails } from './thumbnail.service.ts'

type Server = Awaited<ReturnType<typeof openFileOffice>>

const readStates = async ({ deps }: Server) => {
  const rows = await deps.db.selectFrom('file').select(['name', 'thumbnail']).execute()
  return Object.fromEntries(rows.map(({ name, thumbnail }) => [name, thumbnail]))
}

const red = '1 0 0 rg 0 0 200 300 re f'

it('draws the first page of a PDF, even if its size is extreme', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'scan.pdf', buildPdf(red))
  await server.put(server.directory, 'line.pdf', buildPdf(red, { box: '0 0 1 14400' }))
  await drawWantedThumbnails(server.deps)
  expect(await readStates(server)).toEqual({ 'scan.pdf': 'made', 'line.pdf': 'made' })
  const file = (await server.json(server.kim, 'GET', '/v1/file?search=scan')).data[0]
  expect(file.id).toBe(data.id)
  const image = sharp(await (await fetch(server.origin + file.image)).arrayBuffer())
  expect(await image.metadata()).toMatchObject({ format: 'webp', width: 171, height: 256 })
  expect((await image.stats()).dominant).toMatchObject({ r: expect.toSatisfy((value) => value > 200) })
})

it('requests thumbnails of existing PDFs, once for each file', async () => {
  await using server = await openFileOffice()
  for (const name of ['old.pdf', 'older.pdf', 'note.txt']) await server.put(server.directory, name, buildPdf(red))
  await server.deps.db.updateTable('file').set({ thumbnail: 'none' }).execute()
  expect(await requestOlderThumbnails(server.deps)).toBe(true)
  expect(await readStates(server)).toEqual({ 'old.pdf': 'wanted', 'older.pdf': 'wanted', 'note.txt': 'none' })
  await drawWantedThumbnails(server.deps)
  expect(await requestOlderThumbnails(server.deps)).toBe(false)
  await server.deps.db.updateTable('file').set({ thumbnail: 'none' }).where('name', '=', 'old.pdf').execute()
  expect(await requestOlderThumbnails(server.deps)).toBe(false) // each file is checked only once
  expect(await readStates(server)).toEqual({ 'old.pdf': 'none', 'older.pdf': 'made', 'note.txt': 'none' })
})

it('has no previews of documents if LibreOffice is missing, and the settings say so', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'plan.docx', 'PK\x03\x04')
  expect((await server.json(server.kim, 'POST', `/v1/file/${data.id}/preview`)).data).toEqual({
    as: null,
    url: null,
    pending: false,
  })
  expect(await readStates(server)).toEqual({ 'plan.docx': 'none' })
  const { previews } = (await server.json(server.admin, 'GET', '/v1/admin/settings')).data
  expect(previews).toEqual({ office: 'missing', video: 'missing' })
})
