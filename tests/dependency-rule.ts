import { dirname, join, normalize } from 'node:path/posix'

/** One import: the file that has it, and what it names, as paths from the root of the project. */
export interface Import {
  file: string
  target: string
}

/** Features of the server in their order: each may use those before it. */
const features = [
  'job',
  'audit',
  'throttle',
  'outbox',
  'company',
  'user',
  'token',
  'webhook',
  'visit',
  'identity',
  'directory',
  'file',
  'link',
  'receipt',
  'stats',
  'activity',
]

/** What each folder of server/src may import, besides itself. Files beside the folders (app.ts, main.ts) wire them and may import all. */
const server: Record<string, string[]> = {
  lib: [],
  db: ['lib'],
  blobs: ['lib'],
  mail: ['lib'],
  pictures: ['lib'],
  http: ['lib'],
  features: ['lib', 'db', 'blobs', 'mail', 'pictures', 'http', 'deps.ts'],
  commands: [
    'lib',
    'db',
    'blobs',
    'features',
    'deps.ts',
    ...['open', 'config', 'composers', 'data-dir', 'data-lock', 'secret-key', 'start-error', 'store-id'].map(
      (name) => `${name}.ts`,
    ),
  ],
}

/** The floors of web/src, from the ground up: each may import those before it. */
const web = ['words', 'lib', 'styles', 'components', 'api', 'features', 'dialogs', 'pages', 'routes.tsx', 'main.tsx']

/** Every import of ours in a file: static, dynamic and re-exports alike. */
export function importsOf(file: string, source: string): Import[] {
  const names = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => name)
  return names.map((name) => ({ file, target: name.startsWith('.') ? normalize(join(dirname(file), name)) : name }))
}

/** Every import that points the wrong way, with the rule it breaks. */
export function violations(imports: Import[]): string[] {
  return imports.flatMap(({ file, target }) => {
    const broken = ruleBroken(file, target)
    return broken ? [`${file} imports ${target}: ${broken}`] : []
  })
}

function ruleBroken(file: string, target: string): string | undefined {
  const [side = '', , ...path] = file.split('/')
  const [targetSide = '', , ...targetPath] = target.split('/')
  const isOurs = ['contract', 'server', 'web', 'tests'].includes(targetSide)
  if (side === 'contract')
    return isOurs ? stays(side, targetSide) : target.startsWith('zod') ? undefined : 'contract imports zod and nothing else'
  if (!isOurs) return npmRuleBroken(side, path, target)
  if (side !== targetSide) return 'contract ← server, contract ← web; tests speak to a running Neptune'
  if (isTest(file)) return undefined
  if (side === 'server') return serverRuleBroken(path, targetPath)
  if (side === 'web') return webRuleBroken(path, targetPath)
  return undefined
}

const stays = (side: string, targetSide: string) => (side === targetSide ? undefined : 'contract imports zod and nothing else')

function npmRuleBroken(side: string, path: string[], target: string): string | undefined {
  const isOfTest = isTest(path.at(-1) ?? '')
  if (side === 'web' && !isOfTest && (target.startsWith('node:') || target === 'fastify')) return 'the web runs in a browser'
  if (path.includes('migrations') && target !== 'kysely') return 'migrations import nothing but kysely'
  if (path[0] !== 'features' || isOfTest) return undefined
  if (target === 'fastify' && !path.at(-1)?.endsWith('.routes.ts')) return 'only *.routes.ts speaks HTTP'
  if (target === 'kysely' && !path.at(-1)?.endsWith('.repo.ts')) return 'only *.repo.ts speaks SQL'
  return undefined
}

/** What tests share stands beside them. */
const isTest = (name: string) => name.includes('.test.') || name.endsWith('/testing.ts')

function serverRuleBroken(path: string[], targetPath: string[]): string | undefined {
  const [folder = '', feature = '', name = ''] = path
  const [targetFolder = '', targetFeature = '', targetName = ''] = targetPath
  if (path.includes('migrations')) return 'migrations import nothing but kysely'
  if (path.length === 1) return undefined
  if (folder !== targetFolder && !server[folder]?.includes(targetFolder))
    return 'lib ← db · blobs · mail · pictures · http ← features ← app.ts ← main.ts, features ← commands ← operator.ts'
  if (folder !== 'features') return undefined
  if (targetFolder === 'http' && !name.endsWith('.routes.ts')) return 'only *.routes.ts imports http/'
  if (targetFolder === 'db' && !name.endsWith('.repo.ts')) return 'only *.repo.ts imports db/'
  if (targetFolder !== 'features') return undefined
  if (![feature, targetFeature].every((name) => features.includes(name))) return 'a feature has its place in the order'
  if (features.indexOf(targetFeature) > features.indexOf(feature)) return `features in order: ${features.join(' ← ')}`
  if (name.endsWith('.routes.ts') && targetFeature !== feature)
    return 'a route asks its own feature; crossing over is for services'
  if (name.endsWith('.repo.ts') && !targetName.endsWith('.repo.ts')) return 'a repo asks the database, not a service'
  if (targetName.endsWith('.routes.ts')) return 'routes are imported by app.ts alone'
  return undefined
}

function webRuleBroken(path: string[], targetPath: string[]): string | undefined {
  const [floor = '', feature] = path
  const [targetFloor = '', targetFeature] = targetPath
  // Words every floor may use: the addresses of our own screens.
  if (targetFloor === 'paths.ts') return undefined
  if (![floor, targetFloor].every((name) => web.includes(name))) return 'a folder has its place in the order'
  if (web.indexOf(targetFloor) > web.indexOf(floor)) return web.join(' ← ')
  if (floor === 'features' && targetFloor === 'features' && feature !== targetFeature) return 'in the web, pages compose features'
  return undefined
}
