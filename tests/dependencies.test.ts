import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

it('the decision record lists exactly the dependencies, except those of tests/', () => {
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
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  const notPackages = ['node:sqlite', 'zod/mini']
  expect(listed.filter((name) => !notPackages.includes(name)).sort()).toEqual([...new Set(installed)].sort())
})
