import { expect, it } from 'vitest'
import { newId } from '../lib/secrets.ts'
import { createUploadStates } from './blob-uploads.ts'
import { migrate } from './migrate.ts'
import { openTestDatabase } from './testing.ts'

it('saves each version of an upload’s state once, even with concurrent attempts, and lists and removes states', async () => {
  const db = await openTestDatabase({ isMigrated: true })
  await migrate(db)
  const states = createUploadStates(db)
  const [id, other] = [newId(), newId()].toSorted() as [string, string]
  const large = 5 * 2 ** 40
  await states.create(id, { size: 0, state: 'new' })
  await expect(states.create(id, { size: 0, state: 'again' })).rejects.toThrow()
  const saved = await Promise.all([0, 1, 2, 3].map((n) => states.save(id, 1, { size: large + n, state: `by ${n}` })))
  expect(saved.filter(Boolean)).toHaveLength(1)
  const winner = saved.indexOf(true)
  expect(await states.find(id)).toMatchObject({ version: 2, size: large + winner, state: `by ${winner}` })

  await states.create(other, { size: 0, state: 'new' })
  const [first = ''] = await states.list('', 1)
  expect([first, ...(await states.list(first, 9))].toSorted()).toEqual([id, other])
  await states.remove(id)
  expect(await states.find(id)).toBeUndefined()
  expect(await states.save(id, 2, { size: 0, state: 'too late' })).toBe(false)
  await db.destroy()
})
