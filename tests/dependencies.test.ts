import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

it('every dependency stands in the decision record with why, and none that is gone', () => {
  const installed = ['.', 'contract', 'server', 'web'].flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(join(folder, 'package.json')))
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      (name) => !name.startsWith('@neptune/'),
    )
  })
  const cells = read('docs/decisions/0010-fastify-kysely-react-vitest.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ')[1] ?? '')
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  const ofNode = ['node:sqlite', 'zod/mini']
  expect(named.filter((name) => !ofNode.includes(name)).sort()).toEqual([...new Set(installed)].sort())
})
