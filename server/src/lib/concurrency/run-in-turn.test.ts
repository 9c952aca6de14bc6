import { expect, it } from 'vitest'
import { createCallerLimits } from './caller-limits.ts'
import { runInTurn } from './run-in-turn.ts'

it('runs each slice in its own turn of the event loop', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  for (let i = 0; i < 10; i++) await runInTurn('a', async () => undefined)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(10)
})

it('alternates between callers, however many slices one of them has waiting', async () => {
  const order: string[] = []
  const slices = ['a', 'a', 'a', 'a', 'b', 'c'].map((caller) => runInTurn(caller, async () => void order.push(caller)))
  await Promise.all(slices)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a', 'a'])
})

it('continues after a slice that fails', async () => {
  const failing = runInTurn('a', async () => {
    throw new Error('broken')
  })
  const next = runInTurn('a', async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

it('limits slots in total, per group and per caller, and releases each only once', () => {
  const take = createCallerLimits({ total: 4, perGroup: 3, perCaller: 2 }, () => new Error('full'))
  const first = take('a', 'one')
  take('a', 'one')
  expect(() => take('a', 'one')).toThrow('full')
  take('b', 'one')
  expect(() => take('c', 'one')).toThrow('full')
  take('d', 'two')
  expect(() => take('e', 'two')).toThrow('full')
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  take('c', 'one')
  expect(() => take('e', 'two')).toThrow('full')
})
