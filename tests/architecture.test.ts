import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { featureOrder, findImports, findViolations } from './dependency-rule.ts'
import { findCycles } from './import-cycles.ts'

const root = join(import.meta.dirname, '..')
const sources = globSync('{contract,server,web}/src/**/*.{ts,tsx}', { cwd: root }).map((file) => relative(root, join(root, file)))

it('imports follow the dependency rule', () => {
  expect(sources.length).toBeGreaterThan(50)
  const imports = sources.flatMap((file) => findImports(file, readFileSync(join(root, file), 'utf8')))
  expect(findViolations(imports)).toEqual([])
})

it('ARCHITECTURE.md lists the features in their order', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, names = ''] = /features in order: ([^;]+);/.exec(page) ?? []
  expect(names.split('←').map((name) => name.trim())).toEqual(featureOrder)
})

it('imports form no cycles, except types within a folder', () => {
  const isProduct = (file: string) => !/\.(test|suite)\.ts$/.test(file)
  const read = (file: string) => [file, readFileSync(join(root, file), 'utf8')] as const
  expect(findCycles(new Map(sources.filter(isProduct).map(read)))).toEqual([])
})

it('detects a cycle', () => {
  const cyclicSources = new Map([
    ['web/src/lib/a.ts', "import { b } from '../api/b.ts'"],
    ['web/src/api/b.ts', "import type { C } from './c.ts'\nimport { c } from './c.ts'"],
    ['web/src/api/c.ts', "import type { A } from '../lib/a.ts'\nimport type { B } from './b.ts'"],
  ])
  expect(findCycles(cyclicSources)).toEqual([['web/src/lib/a.ts', 'web/src/api/b.ts', 'web/src/api/c.ts', 'web/src/lib/a.ts']])
})

describe('the dependency rule', () => {
  const check = (file: string, source: string) => findViolations(findImports(file, source))
  const link = 'server/src/features/link'

  it.each([
    ['a service that uses HTTP', `${link}/link.service.ts`, "import { serve } from '../../http/serve.ts'"],
    ['a service that uses the database', `${link}/link.service.ts`, "import { openDatabase } from '../../db/database.ts'"],
    ['a route that imports another feature’s repo', `${link}/link.routes.ts`, "import { findFile } from '../file/file.repo.ts'"],
    [
      'a route that imports another feature’s service',
      `${link}/link.routes.ts`,
      "import { listFiles } from '../file/file.service.ts'",
    ],
    [
      'a feature that imports a later one',
      'server/src/features/user/user.service.ts',
      "import { signIn } from '../identity/identity.service.ts'",
    ],
    ['a repo that calls a service', `${link}/link.repo.ts`, "import { identify } from '../identity/identity.service.ts'"],
    ['a dynamic import', `${link}/link.service.ts`, "await import('../../http/serve.ts')"],
    ['a re-export', `${link}/link.service.ts`, "export * from '../../http/serve.ts'"],
    ['a service that imports Fastify', `${link}/link.service.ts`, "import Fastify from 'fastify'"],
    ['a service that writes SQL', `${link}/link.service.ts`, "import { sql } from 'kysely'"],
    [
      'a feature that is missing from the feature order',
      'server/src/features/new/new.service.ts',
      "import { x } from '../link/link.service.ts'",
    ],
    ['a web folder that is missing from the layer order', 'web/src/hooks/use-x.ts', "import { call } from '../api/client.ts'"],
    ['an http file that imports the database', 'server/src/http/health.ts', "import { ping } from '../db/database.ts'"],
    ['a lib file that imports a feature', 'server/src/lib/ids.ts', "import { toUser } from '../features/user/user.service.ts'"],
    ['a feature that imports a command', `${link}/link.service.ts`, "import { fsck } from '../../commands/fsck.ts'"],
    ['a command that uses HTTP', 'server/src/commands/fsck.ts', "import { serve } from '../http/serve.ts'"],
    [
      'a migration that imports current code',
      'server/src/db/migrations/0002_x.ts',
      "import { newId } from '../../lib/secrets.ts'",
    ],
    ['a server file that imports the web', 'server/src/http/web-files.ts', "import { paths } from '../../../web/src/paths.ts'"],
    ['a web file that imports the server', 'web/src/api/client.ts', "import { identify } from '../../../server/src/app.ts'"],
    ['a web file that imports a Node module', 'web/src/api/client.ts', "import { join } from 'node:path'"],
    ['a contract file that imports a package other than zod', 'contract/src/link.ts', "import Fastify from 'fastify'"],
    ['a component that imports the API', 'web/src/components/table/table.tsx', "import { call } from '../../api/client.ts'"],
    ['a web feature that imports another one', 'web/src/features/link/links.tsx', "import { F } from '../file/files.tsx'"],
    ['a page that imports the routes', 'web/src/screens/links/links-page.tsx', "import { R } from '../../routes.tsx'"],
    [
      'a screen that imports another screen',
      'web/src/screens/links/links-page.tsx',
      "import { F } from '../files/files-page.tsx'",
    ],
  ])('rejects %s', (_, file, source) => {
    expect(check(file, source)).toHaveLength(1)
  })

  it.each([
    ['a route that calls its service', `${link}/link.routes.ts`, "import { verifyLink } from './link.service.ts'"],
    ['a service that uses an earlier feature', `${link}/link.service.ts`, "import { findFile } from '../file/file.repo.ts'"],
    [
      'a service that uses the repo of a later feature',
      'server/src/features/file/file.service.ts',
      "import { findLink } from '../link/link.repo.ts'",
    ],
    ['a command that uses a feature', 'server/src/commands/gc.ts', "import { x } from '../features/file/trash.service.ts'"],
    ['a helper for tests that writes SQL', `${link}/testing.ts`, "import { sql } from 'kysely'"],
    ['a server for tests that uses HTTP', 'server/src/features/provider/testing-provider.ts', "import Fastify from 'fastify'"],
    ['a shared test suite that writes SQL', `${link}/link.suite.ts`, "import { sql } from 'kysely'"],
    [
      'a page that composes features',
      'web/src/screens/links/links-page.tsx',
      "import { F } from '../../features/file/files.tsx'",
    ],
  ])('accepts %s', (_, file, source) => {
    expect(check(file, source)).toEqual([])
  })
})
