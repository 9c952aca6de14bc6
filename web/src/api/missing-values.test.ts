import { api } from '@neptune/contract'
import { expect, it } from 'vitest'
import { readWithMissingValues } from './missing-values.ts'

const link = {
  key: 'k',
  name: 'Plans',
  type: 'LINK_DIRECTORY',
  client: 'Neptune',
  company: 'c',
  directory_id: 'd',
  file_id: null,
  date_created: '2026-12-03T14:05:00.000Z',
  expiry: '2026-12-31T14:05:00.000Z',
  state: 'active',
  email: null,
  maker: 'Kim',
  tells_download: false,
  opened: { times: 1, last_at: null },
  downloaded: { times: 0, last_at: null },
  uploaded: { times: 0, last_at: null },
}
const read = (json: unknown) => readWithMissingValues(api.link.list.reply, json)

it('returns a complete reply unchanged', async () => {
  expect(await read({ data: [link], next: null })).toEqual({ data: [link], next: null })
})

it.each(Object.keys(link) as (keyof typeof link)[])('keeps a row whose %s is null or missing', async (name) => {
  const { [name]: _, ...rest } = link
  const replies = [await read({ data: [link, { ...link, [name]: null }], next: null }), await read({ data: [link, rest] })]
  for (const reply of replies) expect(reply).toMatchObject({ data: [link, rest], next: null })
})

it('replaces missing values by placeholders of their type, or by null where it is allowed', async () => {
  const reply = await read({ data: [{ key: 'k', opened: null }] })
  const uses = { times: Number.NaN, last_at: null }
  expect(reply).toMatchObject({
    data: [{ key: 'k', name: '', type: '', client: null, tells_download: false, opened: uses, uploaded: uses }],
    next: null,
  })
})

it.each([
  ['a value of another type', { data: [{ ...link, name: 7 }], next: null }],
  ['an unknown enum value', { data: [{ ...link, type: 'LINK_MOON' }], next: null }],
  ['a reply without a list', { next: null }],
  ['a row that is null', { data: [null], next: null }],
  ['an empty reply', undefined],
])('rejects %s', async (_, json) => {
  expect(await read(json)).toBeUndefined()
})

it('rejects a missing value in a reply that is not a list', async () => {
  expect(
    await readWithMissingValues(api.access.verify.reply, { data: { validation: true, expired: false, access: null } }),
  ).toBeUndefined()
})
