import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { brokenLines } from './faults/broken-lines.ts'

const root = join(import.meta.dirname, '..')

it('every line that faults:prove breaks occurs exactly once in its file', () => {
  const notUnique = brokenLines.filter(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2)
  expect(notUnique.map(({ fault, file, from }) => `${fault} ${file}: ${from}`)).toEqual([])
})
