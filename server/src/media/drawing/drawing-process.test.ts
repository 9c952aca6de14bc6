import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { runDrawing } from './drawing-process.ts'

it('returns nothing if the signal kills the drawing process', async () => {
  const controller = new AbortController()
  const endlessImage = new Readable({ read: () => controller.abort() }) // read only when the process runs
  const options = { maxBytes: 1000, timeoutMs: 60_000, signal: controller.signal }
  expect(await runDrawing('draw-image.ts', endlessImage, options)).toBeUndefined()
})
