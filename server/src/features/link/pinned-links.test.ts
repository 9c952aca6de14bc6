import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { postReceipt } from '../receipt/testing.ts'
import { pruneVersions } from '../trash/prune-versions.service.ts'
import { dayMs, openOffice } from './testing.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function openPinOffice() {
  const office = await openOffice({ VERSIONS_KEPT: '0' })
  const { kim, plans, first } = office
  const replace = (text: string) => office.put(plans, 'first.txt', kim, text, '?conflict=replace')
  /** Creates a link to the first file, pinned to a version. */
  const pin = async (version: string, days = 30) => {
    const { key, accessCode } = await office.reserve()
    const link = { linkType: 'LINK_FILE', file: first, version, key, accessCode, expiry: office.inDays(days) }
    const created = await office.call('POST', '/v1/link', kim, link)
    return { key, code: accessCode, status: created.statusCode, body: created.json() }
  }
  const download = async (visitor: Record<string, string>, query = '') =>
    (await office.call('GET', `/v1/file/${first}${query}`, visitor)).body
  const readState = async (key: string) => (await office.data('GET', `/v1/link/${key}/info`, kim)).state
  return { ...office, replace, pin, download, readState }
}

describe('a pinned link', () => {
  it('shows its version after a replacement, while other links show the new one', async () => {
    await using office = await openPinOffice()
    const { first, kim } = office
    const links = [await office.share('LINK_FILE'), await office.share('LINK_DIRECTORY'), await office.pin(first)]
    const visitors = await Promise.all(links.map(office.enter))
    expect(
      (await office.data('POST', '/v1/file/clash', kim, { directory: office.plans, names: ['first.txt'] }))[0],
    ).toMatchObject({
      next_version: 2,
      links: 1,
      pinned: 1,
    })
    await office.replace('much newer')
    expect(await Promise.all(visitors.map((visitor) => office.download(visitor)))).toEqual([
      'much newer',
      'much newer',
      'first.txt',
    ])
    const sizes = await Promise.all(visitors.map(async (visitor) => (await office.data('GET', '/v1/access', visitor)).size))
    expect([sizes[0], sizes[2]]).toEqual([10, 9])
    expect(await Promise.all(links.map(({ key }) => office.readState(key)))).toEqual(['active', 'active', 'active'])
    await writeQueuedEntries(office.deps)
    const rows = await office.deps.db
      .selectFrom('audit')
      .select(['link_key', 'note'])
      .where('action', '=', 'file.downloaded')
      .orderBy('seq')
      .execute()
    const [old, current] = [hashOf('first.txt'), hashOf('much newer')]
    const expected = links.map(({ key }, i) => ({ link_key: key, note: `SHA-256 ${i === 2 ? old : current}` }))
    expect(rows.toSorted((a, b) => (a.link_key ?? '').localeCompare(b.link_key ?? ''))).toEqual(
      expected.toSorted((a, b) => a.link_key.localeCompare(b.link_key)),
    )
  })

  it('gives recipients no other version, and no list of versions', async () => {
    await using office = await openPinOffice()
    const { first } = office
    const pinned = await office.enter(await office.pin(first))
    const unpinned = await office.enter(await office.share('LINK_FILE'))
    await office.replace('newer')
    const [current] = await office.data('GET', `/v1/file/${first}/version`, office.kim)
    for (const [visitor, version] of [
      [pinned, current.id],
      [unpinned, first],
    ] as const) {
      expect(JSON.parse(await office.download(visitor, `?version=${version}`)).code).toBe('file.not_found')
      for (const call of ['ticket', 'preview'])
        expect((await office.call('POST', `/v1/file/${first}/${call}`, visitor, { version })).statusCode).toBe(404)
      expect((await office.call('GET', `/v1/file/${first}/version`, visitor)).statusCode).toBe(403)
    }
    expect(await office.download(pinned, `?version=${first}`)).toBe('first.txt')
    const visitor = await office.enter(await office.share('LINK_DIRECTORY'))
    const [row] = await office.data('GET', '/v1/file', visitor)
    expect([row.version, row.versions]).toEqual([undefined, undefined])
  })

  it('keeps its version from being pruned until it expires', async () => {
    await using office = await openPinOffice()
    await office.pin(office.first, 2)
    await office.replace('newer')
    expect(await pruneVersions(office.deps)).toEqual([])
    office.advance(3 * dayMs)
    expect(await pruneVersions(office.deps)).toHaveLength(1)
  })

  it('stops working when its version is deleted, and is in the list of affected links beforehand', async () => {
    await using office = await openPinOffice()
    const { first, kim } = office
    const link = await office.pin(first)
    await office.share('LINK_FILE')
    await office.replace('newer')
    const affected = await office.data('POST', '/v1/link/affected', kim, { version: { file: first, id: first } })
    expect(affected).toMatchObject({ count: 1, links: [{ key: link.key }] })
    const visitor = await office.enter(link)
    expect((await office.call('DELETE', `/v1/file/${first}/version/${first}`, kim)).statusCode).toBe(204)
    expect(await office.readState(link.key)).toBe('version_deleted')
    expect((await office.data('GET', '/v1/link?state=version_deleted', kim)).map(({ key }: { key: string }) => key)).toEqual([
      link.key,
    ])
    expect(JSON.parse(await office.download(visitor)).code).toBe('file.not_found')
    expect((await office.verify(link.key, link.code)).json().data).toMatchObject({ validation: true, paused: true, token: null })
    const details = { key: link.key, targetEmail: 'rob@client.example' }
    expect((await office.call('POST', '/v1/link/email', kim, details)).json().code).toBe('version.not_found')
    expect((await office.call('POST', `/v1/link/${link.key}/extend`, kim)).json().code).toBe('version.not_found')
  })

  it('is rejected for a version that does not exist, and for a directory', async () => {
    await using office = await openPinOffice()
    expect(await office.pin('absent')).toMatchObject({ status: 404, body: { code: 'version.not_found' } })
    const { key, accessCode } = await office.reserve()
    const link = {
      linkType: 'LINK_DIRECTORY',
      directory: office.plans,
      version: office.first,
      key,
      accessCode,
      expiry: office.inDays(9),
    }
    expect((await office.call('POST', '/v1/link', office.kim, link)).statusCode).toBe(400)
  })
})

it('lists a received file in the receipt with its own hash, even after staff replaced it', async () => {
  await using office = await openOffice()
  const rob = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
  await office.put(office.plans, 'mine.txt', rob, 'as sent')
  await office.put(office.plans, 'mine.txt', office.kim, 'as corrected', '?conflict=replace')
  const { receipt } = (await postReceipt(office, rob)).json().data
  expect(receipt.files).toMatchObject([{ name: 'mine.txt', sha256: hashOf('as sent') }])
})
