import { describe, expect, it } from 'vitest'
import { ApiError, createNetworkError } from '../../../api/api-error.ts'
import { createBatch } from './folder-batches.ts'

describe('createBatch', () => {
  const invalid = new ApiError('folder.too_deep', 'Too deep.', { status: 409 })
  const requests: string[][] = []
  const create = async (_: string, paths: readonly string[]) => {
    requests.push([...paths])
    if (paths.some((path) => path.includes('bad'))) throw invalid
    return paths.map((path) => `id of ${path}`)
  }
  it('creates all folders in one request', async () => {
    requests.length = 0
    expect(await createBatch(create, 'd', ['a', 'a/b'])).toEqual([
      { path: 'a', id: 'id of a' },
      { path: 'a/b', id: 'id of a/b' },
    ])
    expect(requests).toHaveLength(1)
  })
  it('splits a rejected request until only the rejected folder fails', async () => {
    const paths = ['a', 'b', 'bad', 'c', 'd']
    const results = await createBatch(create, 'd', paths)
    expect(results.map((result) => ('id' in result ? result.id : result.error))).toEqual([
      'id of a',
      'id of b',
      invalid,
      'id of c',
      'id of d',
    ])
  })
  it('fails completely without a network', async () => {
    const fail = () => Promise.reject(createNetworkError())
    await expect(createBatch(fail, 'd', ['a', 'b'])).rejects.toMatchObject({ code: 'network' })
  })
})
