import { expect, it } from 'vitest'
import { createGate } from './gate.ts'

it('runs tasks up to its slots, queues a few more and rejects the rest', async () => {
  const pass = createGate({ slots: 2, maxWaiting: 3, maxWaitingPerClient: 3 }, () => new Error('busy'))
  const finish: (() => void)[] = []
  let most = 0
  let running = 0
  const task = async () => {
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => finish.push(resolve))
    running--
  }
  const started = Array.from({ length: 5 }, () => pass('kim', task))
  await expect(pass('kim', task)).rejects.toThrow('busy')
  for (let i = 0; i < 5; i++) {
    while (finish.length === 0) await Promise.resolve()
    finish.shift()?.()
  }
  await Promise.all(started)
  expect(most).toBe(2)
  await expect(pass('kim', async () => 'free again')).resolves.toBe('free again')
})

it('frees the slot when a task fails', async () => {
  const pass = createGate({ slots: 1, maxWaiting: 0, maxWaitingPerClient: 0 }, () => new Error('busy'))
  await expect(pass('kim', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(pass('kim', async () => 1)).resolves.toBe(1)
})

it('keeps room in the queue for others when one client has reached its limit', async () => {
  const pass = createGate({ slots: 1, maxWaiting: 3, maxWaitingPerClient: 2 }, () => new Error('busy'))
  const done: string[] = []
  const task = (name: string) => async () => void done.push(name)
  const all = [pass('eve', task('eve 1')), pass('eve', task('eve 2')), pass('eve', task('eve 3'))]
  await expect(pass('eve', task('eve 4'))).rejects.toThrow('busy')
  await Promise.all([...all, pass('kim', task('kim'))])
  expect(done).toEqual(['eve 1', 'eve 2', 'eve 3', 'kim'])
})
