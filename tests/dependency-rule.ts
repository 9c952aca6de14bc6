import { dirname, join, normalize } from 'node:path/posix'

/** An import: the importing file and its target, as paths from the root of the project. */
export interface Import {
  file: string
  target: string
}

/** The server's features in order: a service may use the services of those before it, and the repos of all. */
const features = [
  'job',
  'audit',
  'throttle',
  'outbox',
  'company',
  'user',
  'token',
  'webhook',
  'access',
  'identity',
  'directory',
  'quota',
  'file',
  'integrity',
  'upload',
  'download',
  'trash',
  'thumbnail',
  'link',
  'receipt',
  'stats',
  'activity',
]

/** What each folder of server/src may import besides itself. Files next to the folders (app.ts, main.ts) wire them and may import all. */
const server: Record<string, string[]> = {
  lib: [],
  db: ['lib'],
  blobs: ['lib'],
  mail: ['lib'],
  media: ['lib'],
  http: ['lib'],
  metrics: ['lib', 'db', 'http', 'deps.ts'],
  features: ['lib', 'db', 'blobs', 'mail', 'media', 'http', 'deps.ts'],
  installation: ['lib', 'db', 'blobs', 'mail', 'config.ts', 'deps.ts'],
  process: ['lib', 'http', 'metrics', 'installation', 'features', 'app.ts', 'config.ts', 'deps.ts'],
  commands: ['lib', 'db', 'blobs', 'features', 'installation', 'process', 'config.ts', 'deps.ts'],
}

/** The layers of web/src, from the lowest: each may import those before it. */
const web = ['i18n', 'lib', 'styles', 'components', 'api', 'features', 'screens', 'shell', 'routes.tsx', 'main.tsx']

/** Finds every import in a file: static, dynamic and re-exports. */
export function findImports(file: string, source: string): Import[] {
  const names = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => name)
  return names.map((name) => ({ file, target: name.startsWith('.') ? normalize(join(dirname(file), name)) : name }))
}

/** Returns every import that breaks a rule, with the rule. */
export function findViolations(imports: Import[]): string[] {
  return imports.flatMap(({ file, target }) => {
    const broken = findBrokenRule(file, target)
    return broken ? [`${file} imports ${target}: ${broken}`] : []
  })
}

function findBrokenRule(file: string, target: string): string | undefined {
  const [side = '', , ...path] = file.split('/')
  const [targetSide = '', , ...targetPath] = target.split('/')
  const isOurs = ['contract', 'server', 'web', 'tests'].includes(targetSide)
  if (side === 'contract')
    return isOurs
      ? checkSameSide(side, targetSide)
      : target.startsWith('zod')
        ? undefined
        : 'contract imports zod and nothing else'
  if (!isOurs) return findBrokenNpmRule(side, path, target)
  if (side !== targetSide) return 'contract ← server, contract ← web; tests use a running server'
  if (isTest(file)) return undefined
  if (side === 'server') return findBrokenServerRule(path, targetPath)
  if (side === 'web') return findBrokenWebRule(path, targetPath)
  return undefined
}

const checkSameSide = (side: string, targetSide: string) =>
  side === targetSide ? undefined : 'contract imports zod and nothing else'

function findBrokenNpmRule(side: string, path: string[], target: string): string | undefined {
  const isTestFile = isTest(path.at(-1) ?? '')
  if (side === 'web' && !isTestFile && (target.startsWith('node:') || target === 'fastify')) return 'the web runs in a browser'
  if (path.includes('migrations') && target !== 'kysely') return 'migrations import nothing but kysely'
  if (path[0] !== 'features' || isTestFile) return undefined
  if (target === 'fastify' && !path.at(-1)?.endsWith('.routes.ts')) return 'only *.routes.ts uses HTTP'
  if (target === 'kysely' && !path.at(-1)?.endsWith('.repo.ts')) return 'only *.repo.ts uses SQL'
  return undefined
}

/** Test helpers are in testing.ts next to the tests. */
const isTest = (name: string) => name.includes('.test.') || name.endsWith('/testing.ts')

function findBrokenServerRule(path: string[], targetPath: string[]): string | undefined {
  const [folder = '', feature = '', name = ''] = path
  const [targetFolder = '', targetFeature = '', targetName = ''] = targetPath
  if (path.includes('migrations')) return 'migrations import nothing but kysely'
  if (path.length === 1) return undefined
  if (folder !== targetFolder && !server[folder]?.includes(targetFolder))
    return 'lib ← db · blobs · mail · media · http ← features ← app.ts ← process ← main.ts, features · installation ← commands ← cli.ts'
  if (folder !== 'features') return undefined
  if (targetFolder === 'http' && !name.endsWith('.routes.ts')) return 'only *.routes.ts imports http/'
  if (targetFolder === 'db' && !name.endsWith('.repo.ts')) return 'only *.repo.ts imports db/'
  if (targetFolder !== 'features') return undefined
  if (![feature, targetFeature].every((name) => features.includes(name))) return 'every feature needs a place in the order'
  if (!targetName.endsWith('.repo.ts') && features.indexOf(targetFeature) > features.indexOf(feature))
    return `features in order: ${features.join(' ← ')}`
  if (name.endsWith('.routes.ts') && targetFeature !== feature)
    return 'a route uses only its own feature; services may use others'
  if (name.endsWith('.repo.ts') && !targetName.endsWith('.repo.ts')) return 'a repo uses the database, not a service'
  if (targetName.endsWith('.routes.ts')) return 'only app.ts imports routes'
  return undefined
}

function findBrokenWebRule(path: string[], targetPath: string[]): string | undefined {
  const [layer = '', feature] = path
  const [targetLayer = '', targetFeature] = targetPath
  // Every layer may use the paths of our own screens.
  if (targetLayer === 'paths.ts') return undefined
  if (![layer, targetLayer].every((name) => web.includes(name))) return 'every folder needs a place in the order'
  if (web.indexOf(targetLayer) > web.indexOf(layer)) return web.join(' ← ')
  if (layer === 'features' && targetLayer === 'features' && feature !== targetFeature)
    return 'in the web, only screens combine features'
  if (layer === 'screens' && targetLayer === 'screens' && feature !== targetFeature && targetFeature !== 'shared')
    return 'a screen uses its own files and the shared ones'
  return undefined
}
