import { expect, it } from 'vitest'
import { createTaskQueue } from './task-queue.ts'

it('runs tasks up to its slots, queues a few more and rejects the rest', async () => {
  const run = createTaskQueue({ slots: 2, maxWaiting: 3, maxWaitingPerClient: 3 }, () => new Error('busy'))
  const finish: (() => void)[] = []
  let maxRunning = 0
  let running = 0
  const task = async () => {
    maxRunning = Math.max(maxRunning, ++running)
    await new Promise<void>((resolve) => finish.push(resolve))
    running--
  }
  const started = Array.from({ length: 5 }, () => run('kim', task))
  await expect(run('kim', task)).rejects.toThrow('busy')
  for (let i = 0; i < 5; i++) {
    while (finish.length === 0) await Promise.resolve()
    finish.shift()?.()
  }
  await Promise.all(started)
  expect(maxRunning).toBe(2)
  await expect(run('kim', async () => 'free again')).resolves.toBe('free again')
})

it('frees the slot when a task fails', async () => {
  const run = createTaskQueue({ slots: 1, maxWaiting: 0, maxWaitingPerClient: 0 }, () => new Error('busy'))
  await expect(run('kim', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(run('kim', async () => 1)).resolves.toBe(1)
})

it('keeps room in the queue for others when one client has reached its limit', async () => {
  const run = createTaskQueue({ slots: 1, maxWaiting: 3, maxWaitingPerClient: 2 }, () => new Error('busy'))
  const done: string[] = []
  const task = (name: string) => async () => void done.push(name)
  const all = [run('eve', task('eve 1')), run('eve', task('eve 2')), run('eve', task('eve 3'))]
  await expect(run('eve', task('eve 4'))).rejects.toThrow('busy')
  await Promise.all([...all, run('kim', task('kim'))])
  expect(done).toEqual(['eve 1', 'eve 2', 'eve 3', 'kim'])
})
