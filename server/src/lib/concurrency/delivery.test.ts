import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type DeliveryQueue, deliverDue, startDelivery } from './delivery.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue with two slots, whose items are sent when the test says so. */
function openQueue(...due: string[]) {
  const sending = new Map<string, PromiseWithResolvers<void>>()
  const errors: unknown[] = []
  const queue: DeliveryQueue<string> = {
    claim: async (running) => due.splice(0, 2 - running.length),
    deliver(item, stopped) {
      const attempt = Promise.withResolvers<void>()
      stopped.addEventListener('abort', () => attempt.resolve())
      sending.set(item, attempt)
      return attempt.promise.finally(() => sending.delete(item))
    },
    onClaimError: (error) => errors.push(error),
    onDeliveryError: (error) => errors.push(error),
  }
  return { queue, due, errors, sending, names: () => [...sending.keys()] }
}

it('claims further items as soon as one has ended, even with an error', async () => {
  const { queue, errors, sending, names } = openQueue('a', 'b', 'c', 'd')
  const delivery = startDelivery(queue)
  await vi.advanceTimersByTimeAsync(1000)
  expect(names()).toEqual(['a', 'b'])
  sending.get('a')?.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(names()).toEqual(['b', 'c'])
  sending.get('b')?.reject('no')
  await vi.advanceTimersByTimeAsync(0)
  expect(names()).toEqual(['c', 'd'])
  expect(errors).toEqual(['no'])
  await delivery.stop()
})

it('polls again after an error', async () => {
  const { queue, errors, names } = openQueue('a')
  const delivery = startDelivery({ ...queue, claim: vi.fn(queue.claim).mockRejectedValueOnce('no database') })
  await vi.advanceTimersByTimeAsync(1000)
  expect([names(), errors]).toEqual([[], ['no database']])
  await vi.advanceTimersByTimeAsync(1000)
  expect(names()).toEqual(['a'])
  await delivery.stop()
})

it('aborts and awaits running items when it is stopped, and claims no more', async () => {
  const { queue, due, names } = openQueue('a', 'b', 'c')
  const delivery = startDelivery(queue)
  await vi.advanceTimersByTimeAsync(1000)
  await delivery.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect([names(), due]).toEqual([[], ['c']])
})

it('delivers everything that is due, batch by batch', async () => {
  const { queue } = openQueue('a', 'b', 'c')
  const sent: string[] = []
  await deliverDue({ ...queue, deliver: async (item) => void sent.push(item) })
  expect(sent).toEqual(['a', 'b', 'c'])
})
