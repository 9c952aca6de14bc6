import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { signIn, startSignedIn } from '../support/signed-in.ts'
import { startNeptune } from '../support/start-neptune.ts'

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const preload = (...names: string[]) => ({
  NODE_OPTIONS: names.map((name) => `--import=${join(import.meta.dirname, '../support', name)}`).join(' '),
})

it('P46: does not retry a picture that was being drawn when the server was killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-drawing-'))
  const [attempts, clock] = [join(folder, 'attempts'), join(folder, 'clock')]
  writeFileSync(clock, '0')
  const settings = { THUMBNAILS: 'on', NEPTUNE_ATTEMPTS: attempts, NEPTUNE_CLOCK: clock }
  const killed = { ...settings, ...preload('kill-while-drawing.ts'), NEPTUNE_KILL_WHILE_DRAWING: 'yes' }
  await using first = await startSignedIn(killed)
  await first.put('first.png', pixel).catch(() => undefined) // the server may be killed before it replies
  await first.ended

  const more = { ...settings, ...preload('kill-while-drawing.ts', 'clock.ts') }
  await using second = await signIn(await startNeptune({ LOG_LEVEL: 'error', ...more }, [], join(first.folder, 'data')))
  // Newer pictures are drawn first. This one is older, so its thumbnail shows that no other one is waiting.
  writeFileSync(clock, String(-24 * 60 * 60_000))
  const reply = await second.put('second.png', pixel)
  expect(reply.status).toBe(200)
  const images = async () => {
    const { data } = await (await second.get('/v1/file?limit=10')).json()
    return Object.fromEntries(data.map(({ file_name, image }: Record<string, unknown>) => [file_name, image]))
  }
  await expect.poll(images).toEqual({ 'first.png': null, 'second.png': expect.any(String) })
  expect(readFileSync(attempts, 'utf8')).toBe('attempt\nattempt\n')
  rmSync(folder, { recursive: true })
})
