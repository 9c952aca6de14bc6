import type { ChildProcess } from 'node:child_process'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { readPeakMemoryMiB, watchDrawing } from '../../media/testing.ts'
import { buildPdf, buildRecursiveForm } from '../../media/testing-pdf.ts'
import { openFileOffice } from '../file/testing.ts'
import { requestOlderThumbnails } from './older-files.service.ts'
import { drawWantedThumbnails } from './thumbnail.service.ts'

type Server = Awaited<ReturnType<typeof openFileOffice>>

const readStates = async ({ deps }: Server) => {
  const rows = await deps.db.selectFrom('file').select(['name', 'thumbnail']).execute()
  return Object.fromEntries(rows.map(({ name, thumbnail }) => [name, thumbnail]))
}

const red = '1 0 0 rg 0 0 200 300 re f'

it('draws the first page of a PDF, and of a page with an extreme size', async () => {
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

it('P36: stores hostile PDFs, attempting each once within the memory limit', { timeout: 300_000 }, async () => {
  await using server = await openFileOffice()
  const bomb = deflateSync(deflateSync(Buffer.alloc(2 ** 28, 'q ')))
  const good = buildPdf(red)
  const hostile: Record<string, Buffer> = {
    'bomb.pdf': buildPdf(bomb, { filter: ' /Filter [/FlateDecode /FlateDecode]' }),
    'loop.pdf': buildPdf('/X Do', { objects: [buildRecursiveForm(50, '5 0 R')] }),
    'nested.pdf': buildPdf('/X Do', {
      objects: Array.from({ length: 12 }, (_, index) => buildRecursiveForm(200, `${6 + index} 0 R`)),
    }),
    'cut.pdf': good.subarray(0, good.length / 3),
    'image.pdf': buildPdf('200 0 0 300 0 0 cm /X Do', {
      objects: [
        '<< /Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Length 3 >>\nstream\nabc\nendstream',
      ],
    }),
    'empty.pdf': Buffer.from('%PDF-1.7'),
    'huge.pdf': buildPdf(red, { box: '0 0 1e30 1e30' }),
    'flat.pdf': buildPdf(red, { box: '0 0 0 0' }),
  }
  for (const [name, bytes] of Object.entries(hostile)) await server.put(server.directory, name, bytes)
  const children: ChildProcess[] = []
  let peakMiB = 0
  using _watch = watchDrawing((child) => void children.push(child), 'draw-pdf.ts')
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, readPeakMemoryMiB(children.at(-1)?.pid))
  }, 5)
  const before = process.memoryUsage().rss
  await drawWantedThumbnails(server.deps).finally(() => clearInterval(timer))
  expect(children.length).toBe(Object.keys(hostile).length)
  expect(peakMiB).toBeGreaterThan(0)
  expect(peakMiB).toBeLessThan(1024)
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20)
  const states = await readStates(server)
  expect(Object.values(states)).not.toContain('wanted')
  expect(states).toMatchObject({ 'cut.pdf': 'failed', 'empty.pdf': 'failed', 'nested.pdf': 'failed' })
})

it('draws older files when nothing else waits, the newest first, in slices', async () => {
  await using server = await openFileOffice()
  for (const name of ['old.pdf', 'older.pdf', 'note.txt']) await server.put(server.directory, name, buildPdf(red))
  await server.deps.db.updateTable('file').set({ thumbnail: 'none' }).execute()
  expect(await requestOlderThumbnails(server.deps)).toBe(true)
  expect(await readStates(server)).toEqual({ 'old.pdf': 'wanted', 'older.pdf': 'wanted', 'note.txt': 'none' })
  await drawWantedThumbnails(server.deps)
  expect(await requestOlderThumbnails(server.deps)).toBe(false)
  await server.deps.db.updateTable('file').set({ thumbnail: 'none' }).where('name', '=', 'old.pdf').execute()
  expect(await requestOlderThumbnails(server.deps)).toBe(false) // each file is looked at once
  expect(await readStates(server)).toEqual({ 'old.pdf': 'none', 'older.pdf': 'made', 'note.txt': 'none' })
})

it('has no previews of documents, and says so in the settings, where LibreOffice is missing', async () => {
  await using server = await openFileOffice()
  const { data } = await server.put(server.directory, 'plan.docx', 'PK\x03\x04')
  expect((await server.json(server.kim, 'POST', `/v1/file/${data.id}/preview`)).data).toEqual({ as: null, url: null, pending: false })
  expect(await readStates(server)).toEqual({ 'plan.docx': 'none' })
  const { previews } = (await server.json(server.admin, 'GET', '/v1/admin/settings')).data
  expect(previews).toEqual({ office: 'missing', video: 'missing' })
})
