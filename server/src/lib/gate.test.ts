import { expect, it } from 'vitest'
import { createGate } from './gate.ts'

it('runs a few at once, lets a few wait and refuses the rest', async () => {
  const pass = createGate({ slots: 2, waiting: 3 }, () => new Error('busy'))
  const finish: (() => void)[] = []
  let most = 0
  let running = 0
  const task = async () => {
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => finish.push(resolve))
    running--
  }
  const started = Array.from({ length: 5 }, () => pass(task))
  await expect(pass(task)).rejects.toThrow('busy')
  for (let i = 0; i < 5; i++) {
    while (finish.length === 0) await Promise.resolve()
    finish.shift()?.()
  }
  await Promise.all(started)
  expect(most).toBe(2)
  await expect(pass(async () => 'free again')).resolves.toBe('free again')
})

it('gives the slot back when a task fails', async () => {
  const pass = createGate({ slots: 1, waiting: 0 }, () => new Error('busy'))
  await expect(pass(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(pass(async () => 1)).resolves.toBe(1)
})
