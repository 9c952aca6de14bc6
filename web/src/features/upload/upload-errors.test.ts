import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { getRetryDelayMs } from './retry-timer.ts'
import { classifyError, FileChangedError, FileMissingError } from './upload-errors.ts'

it('delays retries by 1, 2, 4 … 30 seconds, or as long as the server demands', () => {
  expect([1, 2, 3, 5, 6, 20].map((attempts) => getRetryDelayMs(attempts))).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000])
  expect(getRetryDelayMs(1, 60)).toBe(60_000)
})

describe('classifyError', () => {
  const classify = (status: number, code = 'reply' as ApiError['code'], attempts = 1) =>
    classifyError(new ApiError(code, 'Why.', { status }), attempts)

  it('retries temporary failures', () => {
    expect(classify(0)).toEqual({ kind: 'waiting', for: 'network' })
    expect(classify(401)).toEqual({ kind: 'waiting', for: 'session' })
    for (const status of [408, 423, 429, 502, 503, 504, 500]) expect(classify(status)).toMatchObject({ for: 'server' })
    expect(classify(409, 'upload.wrong_offset')).toMatchObject({ for: 'server' })
  })
  it('fails at once for a folder that is not accepted, and in an archived company', () => {
    for (const code of ['folder.too_deep', 'folder.path_too_long', 'folder.too_many', 'company.archived'] as const)
      expect(classify(409, code), code).toEqual({ kind: 'failed', message: 'Why.', canRetry: true, isGone: false })
  })
  it('fails after five server errors', () => {
    expect(classify(500, 'server.failed', 5)).toMatchObject({ kind: 'failed', canRetry: true })
  })
  it('describes permanent failures, and offers a retry where that can help', () => {
    expect(classify(507, 'storage.full')).toMatchObject({ canRetry: true })
    const full = new ApiError('company.full', 'Why.', { status: 507, space: { left: 1.3e6, needed: 2e6 } })
    expect(classifyError(full, 1)).toMatchObject({
      message: expect.stringMatching(/1\.3 MB left.*needs 2\.0 MB/),
      canRetry: true,
    })
    expect(classify(507, 'company.full')).toMatchObject({ message: 'Why.', canRetry: true })
    expect(classify(413, 'file.too_large')).toMatchObject({ canRetry: false })
    expect(classifyError(new ApiError('file.too_large', 'Why.', { status: 413 }), 1, 'Kim Doe')).toMatchObject({
      message: 'This file is too large. Split it, or ask Kim Doe how else to send it.',
    })
    expect(classify(400, 'file.name_invalid')).toMatchObject({ message: 'Why. Rename it and upload it again.', canRetry: false })
    expect(classify(404, 'directory.not_found')).toMatchObject({ canRetry: true, isGone: false })
    expect(classifyError(new FileChangedError(), 1)).toMatchObject({ kind: 'failed', canRetry: false })
    expect(classifyError(new FileMissingError(), 1)).toEqual({ kind: 'fileless' })
  })
  it('does not send the file again by itself when the upload is gone', () => {
    expect(classify(404)).toMatchObject({ kind: 'failed', isGone: true, canRetry: true })
  })
})
