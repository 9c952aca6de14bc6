import { describe, expect, it } from 'vitest'
import { idPattern } from '../blobs/blob-id.ts'
import { newBlobId } from './secrets.ts'

describe('the ids of blobs', () => {
  it('begin alike, so that a few hundred in a row share a folder, and are never the same twice', () => {
    const ids = Array.from({ length: 10_000 }, newBlobId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(idPattern)
    const beginnings = new Set(ids.map((id) => id.slice(0, 3)))
    expect(beginnings.size).toBeGreaterThan(30)
    expect(beginnings.size).toBeLessThan(42)
  })
})
