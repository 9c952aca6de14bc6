import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeServerClock } from '../support/server-clock.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { signInAdmin, startSignedIn } from '../support/start-signed-in.ts'

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const preload = `--import=${join(import.meta.dirname, '../support/preload/kill-while-drawing.ts')}`

it('P46: does not retry a thumbnail that was being generated when the server was killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-drawing-'))
  const attempts = join(folder, 'attempts')
  const settings = { THUMBNAILS: 'on', NEPTUNE_ATTEMPTS: attempts }
  await using first = await startSignedIn({ ...settings, NODE_OPTIONS: preload, NEPTUNE_KILL_WHILE_DRAWING: 'yes' })
  await first.put('first.png', pixel).catch(() => undefined) // the server may be killed before it replies
  await first.ended

  using clock = makeServerClock()
  const preloads = { ...clock.settings, NODE_OPTIONS: `${clock.settings.NODE_OPTIONS} ${preload}` }
  await using second = await signInAdmin(await startNeptune({ ...settings, ...preloads }, [], join(first.folder, 'data')))
  // Thumbnails of newer images are generated first. This image is older, so its thumbnail shows that no other one is waiting.
  clock.setAhead(-24 * 60 * 60_000)
  const reply = await second.put('second.png', pixel)
  expect(reply.status).toBe(200)
  const readImages = async () => {
    const { data } = await (await second.get('/v1/file?limit=10')).json()
    return Object.fromEntries(data.map(({ file_name, image }: Record<string, unknown>) => [file_name, image]))
  }
  await expect.poll(readImages).toEqual({ 'first.png': null, 'second.png': expect.any(String) })
  expect(readFileSync(attempts, 'utf8')).toBe('attempt\nattempt\n')
  rmSync(folder, { recursive: true })
})
