import { describe, expect, it } from 'vitest'
import { createTestJob } from './testing.ts'
import { applyTransition } from './upload-machine.ts'

const sending = createTestJob({ kind: 'sending' }, { upload: 'u1', sent: 50 })
const paused = createTestJob({ kind: 'paused' }, { upload: 'u1', sent: 50 })
const done = createTestJob({ kind: 'done', file: 'f1' })

describe('applyTransition', () => {
  it('returns the same job if its state does not allow the transition', () => {
    expect(applyTransition(paused, 'progress', 60, 0)).toBe(paused)
    expect(applyTransition(paused, 'wait', 'network')).toBe(paused)
    expect(applyTransition(done, 'pause')).toBe(done)
    expect(applyTransition(done, 'cancel')).toBe(done)
    expect(applyTransition(createTestJob({ kind: 'canceled' }), 'startSession')).toMatchObject({ state: { kind: 'canceled' } })
  })
  it('completes an upload that was paused at the last moment', () => {
    expect(applyTransition(paused, 'complete', 'f1')).toMatchObject({ sent: 100, state: { kind: 'done', file: 'f1' } })
  })
  it('keeps the id of an upload that the server created after it was canceled', () => {
    expect(applyTransition(createTestJob({ kind: 'canceled' }), 'create', 'u1', 7)).toMatchObject({
      upload: 'u1',
      fingerprint: 7,
    })
  })
  it('forgets the id and progress of a failed upload that the server no longer has, and keeps those of others', () => {
    const failure = { kind: 'failed', message: 'No.', canRetry: true, isGone: false } as const
    expect(applyTransition(sending, 'fail', failure)).toMatchObject({ upload: 'u1', sent: 50 })
    expect(applyTransition(sending, 'fail', { ...failure, isGone: true })).toMatchObject({ upload: undefined, sent: 0 })
  })
  it('measures the speed of the current state only', () => {
    const measured = applyTransition(applyTransition(sending, 'progress', 50, 0), 'progress', 100, 1000)
    expect(measured.speed).toBe(50)
    expect(applyTransition(measured, 'wait', 'server')).toMatchObject({ speed: 0, samples: [] })
  })
})
