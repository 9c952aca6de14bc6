import { dirname, join, normalize } from 'node:path/posix'

/** An import: the importing file and its target, as paths from the root of the project. */
export interface Import {
  file: string
  target: string
}

/** The server's features in order: a service may use the services of those before it, and the repos of all. */
export const featureOrder = [
  'job',
  'audit',
  'settings',
  'brand',
  'throttle',
  'outbox',
  'company',
  'user',
  'session',
  'factor',
  'passkey',
  'provider',
  'token',
  'webhook',
  'access',
  'identity',
  'directory',
  'quota',
  'file',
  'move',
  'version',
  'copy',
  'integrity',
  'upload',
  'download',
  'trash',
  'thumbnail',
  'link',
  'receipt',
  'removal',
  'stats',
  'activity',
  'live',
]

/**
 * What each folder of server/src may import besides itself. Files next to the folders (app.ts, main.ts) connect them and may import all.
 */
const allowedServerImports: Record<string, string[]> = {
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
const webLayers = ['i18n', 'lib', 'styles', 'components', 'api', 'features', 'screens', 'shell', 'routes.tsx', 'main.tsx']

/** Finds every import in a file: static, dynamic and re-exports. */
export function findImports(file: string, source: string): Import[] {
  const names = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => name)
  return names.map((name) => ({ file, target: name.startsWith('.') ? normalize(join(dirname(file), name)) : name }))
}

/** Returns a message for every import that breaks a rule. It names the import and the rule. */
export function findViolations(imports: Import[]): string[] {
  return imports.flatMap(({ file, target }) => {
    const broken = findBrokenRule(file, target)
    return broken ? [`${file} imports ${target}: ${broken}`] : []
  })
}

function findBrokenRule(file: string, target: string): string | undefined {
  const [workspace = '', , ...path] = file.split('/')
  const [targetWorkspace = '', , ...targetPath] = target.split('/')
  const isInProject = ['contract', 'server', 'web', 'tests'].includes(targetWorkspace)
  if (workspace === 'contract') {
    const isTest = file.endsWith('.test.ts') && target === 'vitest'
    const isAllowed = isTest || (isInProject ? targetWorkspace === 'contract' : target.startsWith('zod'))
    return isAllowed ? undefined : 'contract imports zod and nothing else'
  }
  if (!isInProject) return findBrokenPackageRule(workspace, path, target)
  if (workspace !== targetWorkspace) return 'server and web may import only the contract'
  if (isTest(file)) return undefined
  if (workspace === 'server') return findBrokenServerRule(path, targetPath)
  if (workspace === 'web') return findBrokenWebRule(path, targetPath)
  return undefined
}

/** Checks an import of a package or of a Node module. */
function findBrokenPackageRule(workspace: string, path: string[], target: string): string | undefined {
  const isTestFile = isTest(path.at(-1) ?? '')
  if (workspace === 'web' && !isTestFile && (target.startsWith('node:') || target === 'fastify'))
    return 'the web runs in a browser'
  if (path.includes('migrations') && target !== 'kysely') return 'migrations import nothing but kysely'
  if (path[0] !== 'features' || isTestFile) return undefined
  if (target === 'fastify' && !path.at(-1)?.endsWith('.routes.ts')) return 'only *.routes.ts uses HTTP'
  if (target === 'kysely' && !path.at(-1)?.endsWith('.repo.ts')) return 'only *.repo.ts uses SQL'
  return undefined
}

/** Whether a file is a test, or a testing*.ts or *.suite.ts that tests share. */
const isTest = (file: string) => /\.test\.|\.suite\.ts$|(^|\/)testing[^/]*\.ts$/.test(file)

/** A migration may have its steps in separate files, in a folder next to it. */
const findBrokenMigrationRule = (path: string[], targetPath: string[]) =>
  path.length === 3 && targetPath.length === 4 && targetPath[1] === 'migrations'
    ? undefined
    : 'migrations import nothing but kysely'

function findBrokenServerRule(path: string[], targetPath: string[]): string | undefined {
  const [folder = '', feature = '', name = ''] = path
  const [targetFolder = '', targetFeature = '', targetName = ''] = targetPath
  if (path.includes('migrations')) return findBrokenMigrationRule(path, targetPath)
  if (path.length === 1) return undefined
  if (folder !== targetFolder && !allowedServerImports[folder]?.includes(targetFolder))
    return `${folder}/ may import only ${[folder, ...(allowedServerImports[folder] ?? [])].join(', ')}`
  if (folder !== 'features') return undefined
  if (targetFolder === 'http' && !name.endsWith('.routes.ts')) return 'only *.routes.ts imports http/'
  if (targetFolder === 'db' && !name.endsWith('.repo.ts')) return 'only *.repo.ts imports db/'
  if (targetFolder !== 'features') return undefined
  if (![feature, targetFeature].every((name) => featureOrder.includes(name)))
    return 'every feature must be listed in the feature order'
  if (!targetName.endsWith('.repo.ts') && featureOrder.indexOf(targetFeature) > featureOrder.indexOf(feature))
    return `a feature may import only the services of earlier features: ${featureOrder.join(', ')}`
  if (name.endsWith('.routes.ts') && targetFeature !== feature)
    return 'a route uses only its own feature; services may use others'
  if (name.endsWith('.repo.ts') && !targetName.endsWith('.repo.ts')) return 'a repo uses the database, not a service'
  if (targetName.endsWith('.routes.ts')) return 'only app.ts imports routes'
  return undefined
}

function findBrokenWebRule(path: string[], targetPath: string[]): string | undefined {
  const [layer = '', feature] = path
  const [targetLayer = '', targetFeature] = targetPath
  // Every layer may import the paths of the screens.
  if (targetLayer === 'paths.ts') return undefined
  if (![layer, targetLayer].every((name) => webLayers.includes(name))) return 'every folder must be listed in the layer order'
  if (webLayers.indexOf(targetLayer) > webLayers.indexOf(layer))
    return `${layer} may import only itself and what comes before it: ${webLayers.join(', ')}`
  if (layer === 'features' && targetLayer === 'features' && feature !== targetFeature)
    return 'in the web, only screens combine features'
  if (layer === 'screens' && targetLayer === 'screens' && feature !== targetFeature && targetFeature !== 'shared')
    return 'a screen uses its own files and the shared ones'
  return undefined
}
