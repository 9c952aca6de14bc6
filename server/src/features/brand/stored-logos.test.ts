import { expect, it } from 'vitest'
import { startWithAdmin } from '../settings/testing.ts'
import { saveLogoIds } from './brand.repo.ts'
import { checkLogos, removeUnusedImages } from './stored-logos.service.ts'

const dayMs = 24 * 60 * 60_000

/** Starts a server with the images `a`, `b` and `c`. The organisation uses `a`, and its only company uses `b`. */
async function startWithImages() {
  const server = await startWithAdmin()
  const { db } = server.deps
  const image = { bytes: 'AA==', width: 10, height: 5, created_at: server.clock.now.toISOString(), unused_at: null }
  await db
    .insertInto('brand_image')
    .values(['a', 'b', 'c'].map((id) => ({ id, ...image })))
    .execute()
  await saveLogoIds(db, { logo_light: 'a' }, '')
  await db.updateTable('company').set({ logo_dark: 'b' }).execute()
  const listImages = async () => (await db.selectFrom('brand_image').select('id').orderBy('id').execute()).map(({ id }) => id)
  const listFindings = async (isRepair: boolean) => {
    const texts: string[] = []
    await checkLogos(server.deps, { isRepair, report: ({ text, done }) => texts.push(`${text}${done ? ` → ${done}` : ''}`) })
    return texts
  }
  return { ...server, listImages, listFindings }
}

it('returns the logos of the organisation, and keeps them when the colour changes', async () => {
  await using server = await startWithImages()
  await server.set('appearance', { accent: '#aa0000' })
  expect(await server.read()).toMatchObject({
    appearance: { version: 1, values: { accent: '#aa0000' } },
    logos: { light: { url: '/brand/a.png', width: 10, height: 5 }, dark: null },
  })
})

it('removes an image that has been unused for 90 days', async () => {
  await using server = await startWithImages()
  await removeUnusedImages(server.deps)
  server.advance(89 * dayMs)
  await server.deps.db.updateTable('company').set({ logo_dark: 'c' }).execute() // used again
  expect(await removeUnusedImages(server.deps)).toEqual([])
  server.advance(2 * dayMs)
  expect(await removeUnusedImages(server.deps)).toEqual([])
  server.advance(89 * dayMs)
  expect(await removeUnusedImages(server.deps, { dryRun: true })).toEqual(['b'])
  expect(await server.listImages()).toEqual(['a', 'b', 'c'])
  expect(await removeUnusedImages(server.deps)).toEqual(['b'])
  expect(await server.listImages()).toEqual(['a', 'c'])
})

it('reports logos without an image, and removes them in a repair', async () => {
  await using server = await startWithImages()
  expect(await server.listFindings(true)).toEqual([])
  await server.deps.db.deleteFrom('brand_image').execute()
  expect(await server.listFindings(false)).toEqual([
    'the image of logo_light of the organisation is missing',
    expect.stringMatching(/^the image of logo_dark of "Acme GmbH" \(\S+\) is missing$/),
  ])
  expect((await server.listFindings(true)).filter((text) => text.endsWith(' → removed'))).toHaveLength(2)
  expect(await server.listFindings(false)).toEqual([])
  expect((await server.read()).logos).toEqual({ light: null, dark: null })
  const entries = await server.deps.db.selectFrom('audit').select(['action', 'note']).orderBy('seq', 'desc').limit(2).execute()
  expect(entries).toEqual([
    { action: 'company.brand_changed', note: 'logo_dark: its image was missing' },
    { action: 'settings.changed', note: 'its image was missing' },
  ])
})
