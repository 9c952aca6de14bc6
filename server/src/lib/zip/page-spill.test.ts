import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { collectGarbage } from '../collect-garbage.ts'
import { createPageSpill } from './page-spill.ts'

const rowOf = (n: number) => ({ id: `id ${n}`, name: `file ${n} ü ${'x'.repeat(100)}` })

it.each([0, 1, 200])('returns %i pages as they were added, on every read, and leaves no file', async (pages) => {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-spill-'))
  const spill = createPageSpill<ReturnType<typeof rowOf>>(folder)
  collectGarbage({ type: 'major', flavor: 'last-resort' })
  const before = process.memoryUsage()
  for (let page = 0; page < pages; page++) await spill.append(Array.from({ length: 500 }, (_, i) => rowOf(page * 500 + i)))
  collectGarbage({ type: 'major', flavor: 'last-resort' })
  const after = process.memoryUsage()
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(4 * 2 ** 20)
  for (let round = 0; round < 2; round++) {
    let next = 0
    for await (const page of spill.read())
      for (const row of page) if (row.name !== rowOf(next++).name) expect.fail(`row ${next - 1} differs`)
    expect(next).toBe(pages * 500)
  }
  expect(readdirSync(folder)).toEqual([])
  await spill.close()
  rmSync(folder, { recursive: true })
})
