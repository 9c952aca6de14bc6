import { describe, expect, it } from 'vitest'
import { idPattern } from '../blobs/blob-id.ts'
import { newBlobId } from './secrets.ts'

describe('blob ids', () => {
  it('are unique, and a few hundred in a row share a prefix and thus a folder', () => {
    const ids = Array.from({ length: 10_000 }, newBlobId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(idPattern)
    const prefixes = new Set(ids.map((id) => id.slice(0, 3)))
    expect(prefixes.size).toBeGreaterThan(30)
    expect(prefixes.size).toBeLessThan(42)
  })
})
