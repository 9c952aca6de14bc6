import type { ChildProcess } from 'node:child_process'
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readPeakMemoryMiB, watchDrawing } from '../../media/testing.ts'
import { buildPdf, buildRecursiveForm } from '../../media/testing-pdf.ts'
import { openFileOffice } from '../file/testing.ts'
import { drawWantedThumbnails } from './thumbnail.service.ts'

it('P36: stores hostile PDFs, and attempts to draw each once, within the memory limit', { timeout: 300_000 }, async () => {
  await using server = await openFileOffice()
  const bomb = deflateSync(deflateSync(Buffer.alloc(2 ** 28, 'q ')))
  const good = buildPdf('1 0 0 rg 0 0 200 300 re f')
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
    'huge.pdf': buildPdf('1 0 0 rg 0 0 200 300 re f', { box: '0 0 1e30 1e30' }),
    'flat.pdf': buildPdf('1 0 0 rg 0 0 200 300 re f', { box: '0 0 0 0' }),
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
  const rows = await server.deps.db.selectFrom('file').select(['name', 'thumbnail']).execute()
  const states = Object.fromEntries(rows.map(({ name, thumbnail }) => [name, thumbnail]))
  expect(Object.values(states)).not.toContain('wanted')
  expect(states).toMatchObject({ 'cut.pdf': 'failed', 'empty.pdf': 'failed', 'nested.pdf': 'failed' })
})
