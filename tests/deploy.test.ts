import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const matchAll = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const matchOne = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]

const settings = matchAll(
  read('server/src/config.ts').split('z.object({')[1]?.split(/^\}\)/m)[0] ?? '',
  /^ {2}([A-Z][A-Z0-9_]+):/gm,
)
const routes = matchAll(read('server/src/http/health.ts'), /app\.get\('([^']+)'/g)
const pages = Object.fromEntries(
  readdirSync(join(root, 'docs/operating')).map((name) => [`docs/operating/${name}`, read(`docs/operating/${name}`)]),
)
const extractCodeBlocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms'))].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
/** Returns the settings in the .env file that a page tells operators to write. */
const readEnvExample = (page: string) =>
  parseEnv(matchOne(pages[page] ?? '', /^ *cat >\.env <<END\n(.*?)^ *END$/ms)?.replaceAll(/^ +/gm, '') ?? '')

const env = parseEnv(read('deploy/neptune.env'))
const nginx = read('deploy/nginx.conf')
const caddy = read('deploy/Caddyfile')
const image = read('deploy/Dockerfile')
const readImageEnv = (name: string) => matchOne(image, new RegExp(`^ENV .*\\b${name}=(\\S+)`, 'm'))
const host = new URL(env['PUBLIC_URL'] ?? '').host

/** Installs a program if it is missing. Returns whether it is available. Without it, only the static checks of its file run. */
function ensureInstalled(program: 'nginx' | 'caddy') {
  const isInstalled = () => spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined
  const script = `import { aptInstall } from './scripts/apt.mjs'; aptInstall('${program}')`
  if (!isInstalled()) spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, stdio: 'ignore' })
  return isInstalled()
}

function withTempFolder(callback: (folder: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-deploy-'))
  try {
    callback(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const installTimeoutMs = 300_000

describe('deploy: the files for operators', () => {
  it('name only existing settings', () => {
    expect(settings).toContain('X_ACCEL_REDIRECT')
    const { services } = parse(read('deploy/compose.yaml'))
    const named = {
      'neptune.env': [...Object.keys(env), ...matchAll(read('deploy/neptune.env'), /^#([A-Z0-9_]+)=/gm)],
      'compose.yaml': Object.keys(services.neptune.environment),
      Dockerfile: matchAll(image, /\b([A-Z][A-Z_0-9]+)=/g).filter((name) => name !== 'PATH'),
      'settings.env': Object.keys(parseEnv(read('deploy/kubernetes/settings.env'))),
      'kubernetes.md': Object.keys(readEnvExample('docs/operating/kubernetes.md')),
      pages: Object.values(pages).flatMap((page) =>
        extractCodeBlocks(page, 'ini').flatMap((block) => matchAll(block, /^([A-Z0-9_]+)=/gm)),
      ),
    }
    for (const [file, names] of Object.entries(named)) {
      expect(names.length, file).toBeGreaterThan(0)
      expect(
        names.filter((name) => !settings.includes(name)),
        file,
      ).toEqual([])
    }
  })

  it('nginx: the file is valid and matches the settings', { timeout: installTimeoutMs }, () => {
    expect(matchAll(nginx, /^ *server_name (.*);$/gm)).toEqual([host, host])
    expect(matchOne(nginx, /^upstream neptune \{\n *server (.*);$/m)).toBe('127.0.0.1:3000')
    expect(matchOne(nginx, /^ *alias (.*);$/m)).toBe(`${env['DATA_DIR']}/blobs/`)
    expect(nginx).toContain(`location ${matchOne(read('deploy/neptune.env'), /^#X_ACCEL_REDIRECT=(.*)$/m)} {\n    internal;`)
    for (const line of ['client_max_body_size 0', 'proxy_request_buffering off', 'proxy_buffering off', 'access_log off'])
      expect(nginx).toContain(`  ${line};`)
    expect(nginx.match(/[{}]/g)?.length).toBe(2 * (nginx.match(/\{/g)?.length ?? 0))
    if (!ensureInstalled('nginx')) return
    withTempFolder((folder) => {
      // Uses sockets instead of ports, which may be in use, and a certificate path that nginx resolves only at connection time.
      let number = 0
      const site = nginx
        .replaceAll(/listen \S+?(;| )/g, (_, rest) => `listen unix:${folder}/${number++}${rest}`)
        .replaceAll(/(ssl_certificate\w*) .*;/g, `$1 ${folder}/$ssl_server_name;`)
        .replace('/var/log/nginx/', `${folder}/`)
      const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/tmp;`)
      writeFileSync(
        join(folder, 'nginx.conf'),
        `user ${userInfo().username}; pid ${folder}/pid; events {} http { access_log off; ${tempPaths.join(' ')} ${site} }`,
      )
      const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-p', folder, '-e', 'stderr', '-c', 'nginx.conf'], {
        encoding: 'utf8',
      })
      expect({ status, stderr }).toMatchObject({ status: 0 })
    })
  })

  it('Caddy: the file is valid and matches the settings', { timeout: installTimeoutMs }, () => {
    expect(matchOne(caddy, /^(\S+) \{\n\treverse_proxy 127\.0\.0\.1:3000 \{$/m)).toBe(host)
    expect(caddy).toContain('exclude http.log.error')
    if (!ensureInstalled('caddy')) return
    withTempFolder((folder) => {
      const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, PATH: process.env['PATH'] ?? '' }
      const args = ['validate', '--adapter', 'caddyfile', '--config', join(root, 'deploy/Caddyfile')]
      const { status, stderr } = spawnSync('caddy', args, { env, encoding: 'utf8' })
      expect({ status, stderr }).toMatchObject({ status: 0 })
      expect(stderr).not.toContain('not formatted')
    })
  })

  it('systemd: the unit runs the same command as npm start, can write only its data, and leaves enough time to stop', () => {
    const unit = readUnit(read('deploy/neptune.service'))
    expect(Object.keys(unit)).toEqual(['Unit', 'Service', 'Install'])
    const { Service: service = {} } = unit
    const [node = '', ...args] = service['ExecStart']?.split(' ') ?? []
    expect(node).toBe(`${service['WorkingDirectory']}/node_modules/.bin/node`)
    expect(JSON.parse(read('package.json')).scripts.start).toContain(`exec node ${args.join(' ')} ||`)
    expect(existsSync(join(root, args.at(-1) ?? ''))).toBe(true)
    expect(`/var/lib/${service['StateDirectory']}`).toBe(env['DATA_DIR'])
    expect(Number(service['TimeoutStopSec'])).toBeGreaterThan(40)
    expect(service).toMatchObject({
      User: 'neptune',
      EnvironmentFile: '/etc/neptune.env',
      UMask: '0077',
      StateDirectoryMode: '0700',
    })
    expect(service).toMatchObject({ NoNewPrivileges: 'yes', ProtectSystem: 'strict', CapabilityBoundingSet: '' })
    expect(service).not.toHaveProperty('MemoryDenyWriteExecute') // would prevent Node from starting
  })

  it('the image: gets all build inputs and no secrets, runs as an unprivileged user, and has a health check', () => {
    const isIncluded = parseDockerignore(read('.dockerignore'))
    const { workspaces } = JSON.parse(read('package.json'))
    const needed = [
      ...workspaces.map((name: string) => `${name}/package.json`),
      join('web', JSON.parse(read('web/tsconfig.json')).extends),
      ...['package.json', 'package-lock.json', '.npmrc', 'server/src/main.ts', 'server/bin/neptune.mjs', 'web/index.html'],
      ...matchAll(image, /(scripts\/\w+\.mjs)/g),
    ]
    expect(needed.filter((path) => !existsSync(join(root, path)) || !isIncluded(path))).toEqual([])
    const unwanted = ['.env', 'deploy/.env', 'web/.env', 'data/neptune.db', '.git/config', 'node_modules/x', 'web/node_modules/x']
    expect(unwanted.filter(isIncluded)).toEqual([])
    expect(matchOne(image, /^EXPOSE (\d+)$/m)).toBe(readImageEnv('PORT'))
    expect(matchOne(image, /^VOLUME (.*)$/m)).toBe(readImageEnv('DATA_DIR'))
    expect(matchOne(image, /^USER (\d+:\d+)$/m)).toBe('10001:10001')
    const [, , check = ''] = JSON.parse(matchOne(image, /^ {2}CMD (\[.*\])$/m) ?? '[]')
    expect(routes).toContain(matchOne(check, /PORT\}(\/\w+)`/))
    const start = JSON.parse(matchOne(image, /^CMD (.*)$/m) ?? '[]').join(' ')
    expect(JSON.parse(read('package.json')).scripts.start).toContain(`exec ${start} ||`)
  })

  it('compose: requires only the variables in docs/operating/container.md, and its services find each other', () => {
    const text = read('deploy/compose.yaml')
    const { services, networks, configs, volumes } = parse(text)
    const { environment, ports, volumes: mounts, build, depends_on } = services.neptune
    expect(new Set(matchAll(text, /\$\{(\w+):\?\}/g))).toEqual(
      new Set(Object.keys(readEnvExample('docs/operating/container.md'))),
    )
    expect(existsSync(join(root, 'deploy', build.context, build.dockerfile))).toBe(true)
    expect(ports).toEqual([`127.0.0.1:3000:${readImageEnv('PORT')}`])
    expect(mounts).toEqual([`data:${readImageEnv('DATA_DIR')}`])
    expect(networks.default.ipam.config[0].gateway).toBe(environment.TRUST_PROXY)
    for (const address of [environment.DATABASE_URL, environment.S3_ENDPOINT])
      expect(Object.keys(depends_on)).toContain(new URL(address.replaceAll(/\$\{.*?\}/g, 'x')).hostname)
    expect(services.s3.command).toContain(`-s3.port=${new URL(environment.S3_ENDPOINT).port}`)
    for (const { configs: used = [], volumes: kept } of [services.postgres, services.s3]) {
      for (const { source } of used) expect(configs).toHaveProperty(source)
      for (const mount of kept) expect(volumes).toHaveProperty(mount.split(':')[0])
    }
    expect(() => JSON.parse(configs.keys.content)).not.toThrow()
  })

  it('Kubernetes: the objects match each other, the image and the routes', () => {
    const folder = 'deploy/kubernetes'
    const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    const kustomization = parse(read(`${folder}/kustomization.yaml`))
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted())
    const objects = Object.fromEntries(
      files.map((name) => parse(read(`${folder}/${name}`))).map((object) => [object.kind, object]),
    )
    const { Deployment, Service, Ingress, PodDisruptionBudget, NetworkPolicy, Namespace } = objects
    expect(Namespace.metadata.name).toBe(kustomization.namespace)
    const { metadata, spec } = Deployment.spec.template
    const [container] = spec.containers
    expect(Deployment.spec.replicas).toBeGreaterThan(1)
    expect(kustomization.images[0].name).toBe(container.image)
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(readImageEnv('PORT')) }])
    for (const name of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      expect(routes).toContain(container[name].httpGet.path)
      expect(container[name].httpGet.port).toBe('http')
    }
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(45)
    expect(`${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`).toBe(matchOne(image, /^USER (.*)$/m))
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toContain(readImageEnv('DATA_DIR'))
    const generated = [...kustomization.configMapGenerator, ...kustomization.secretGenerator].map(({ name }) => name)
    expect(container.envFrom.flatMap((from: object) => Object.values(from).map(({ name }) => name))).toEqual(generated)
    const selectors = [Deployment.spec.selector, PodDisruptionBudget.spec.selector, NetworkPolicy.spec.podSelector]
    expect([...selectors.map(({ matchLabels }) => matchLabels), Service.spec.selector]).toEqual(Array(4).fill(metadata.labels))
    expect(Service.spec.ports[0]).toMatchObject({ name: 'http', targetPort: 'http' })
    const [rule] = Ingress.spec.rules
    expect(rule.http.paths[0].backend.service).toEqual({ name: Service.metadata.name, port: { name: 'http' } })
    const allSettings = { ...parseEnv(read(`${folder}/settings.env`)), ...readEnvExample('docs/operating/kubernetes.md') }
    expect([`https://${rule.host}`, `https://${Ingress.spec.tls[0].hosts[0]}`]).toEqual(Array(2).fill(allSettings['PUBLIC_URL']))
    // Pods share no disk. Without these settings, each would create its own key, database and files.
    for (const name of ['SECRET_KEY', 'DATABASE_URL', 'S3_ENDPOINT', 'S3_BUCKET']) expect(allSettings).toHaveProperty(name)
  })
})

describe('docs/operating: the pages', () => {
  it('link only to existing files, and the index links to every page', () => {
    const missing = Object.entries(pages).flatMap(([path, page]) =>
      matchAll(page, /\]\((?!https?:)([^)#]+)[^)]*\)/g).filter((link) => !existsSync(join(root, dirname(path), link))),
    )
    expect(missing).toEqual([])
    const index = pages['docs/operating/README.md'] ?? ''
    const names = readdirSync(join(root, 'docs/operating')).filter((name) => name !== 'README.md')
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
  })

  it('have shell blocks with valid syntax', () => {
    const shellBlocks = Object.values(pages).flatMap((page) => extractCodeBlocks(page, 'sh'))
    expect(shellBlocks.length).toBeGreaterThan(40)
    // Checks all blocks in one shell, each as a function.
    const script = shellBlocks.map((block, number) => `block${number}() {\n${block}\n}`).join('\n')
    const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('name only existing commands and options', { timeout: 60_000 }, () => {
    const { stdout } = spawnSync(process.execPath, ['server/bin/neptune.mjs', 'help'], { cwd: root, encoding: 'utf8' })
    const knownUsages = matchAll(stdout, /^ {2}neptune (.*)$/gm)
    expect(knownUsages.length).toBeGreaterThan(5)
    const mentioned = [...Object.values(pages), read('README.md')].flatMap((page) => [
      ...extractCodeBlocks(page, 'sh').flatMap((block) =>
        matchAll(block, /(?:\.bin\/neptune|npx neptune|-- neptune|neptune neptune) (.*)/g),
      ),
      ...matchAll(page, /`(?:npx )?neptune ([a-z][^`]*)`/g),
    ])
    expect(mentioned.length).toBeGreaterThan(30)
    const unknown = mentioned.filter((text) => {
      const [first = '', second = ''] = text.split(/\s+/)
      const name = first === 'audit' ? `${first} ${second}` : first
      const usages = knownUsages.filter((usage) => usage === name || usage.startsWith(`${name} `)).join(' ')
      return (
        first !== 'help' &&
        first !== 'COMMAND' &&
        (usages === '' || matchAll(text, /(--[a-z-]+)/g).some((option) => !usages.includes(option)))
      )
    })
    expect(unknown).toEqual([])
  })
})

/** Parses a systemd unit into its sections. Throws on unknown or duplicate keys. */
function readUnit(text: string) {
  const sections: Record<string, Record<string, string>> = {}
  let current: Record<string, string> = {}
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const section = matchOne(line, /^\[(\w+)\]$/)
    const [, key = '', value = ''] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? []
    if (section) sections[section] = current = {}
    else if (!unitKeys.has(key) || key in current) throw new Error(`${JSON.stringify(line)} is not a valid line of a unit`)
    else current[key] = value
  }
  return sections
}

/** All keys that a unit may have. systemd ignores unknown keys, so it would not report a misspelled one. */
const unitKeys = new Set(
  `Description Documentation Wants After StartLimitIntervalSec Type User Group WorkingDirectory EnvironmentFile ExecStart ExecReload
   Restart RestartSec KillMode TimeoutStopSec LimitNOFILE StateDirectory StateDirectoryMode UMask ProtectSystem ProtectHome PrivateTmp
   PrivateDevices NoNewPrivileges CapabilityBoundingSet AmbientCapabilities RestrictSUIDSGID RestrictNamespaces RestrictRealtime
   RestrictAddressFamilies SystemCallArchitectures SystemCallFilter SystemCallErrorNumber LockPersonality KeyringMode RemoveIPC
   ProtectClock ProtectControlGroups ProtectHostname ProtectKernelLogs ProtectKernelModules ProtectKernelTunables ProtectProc
   WantedBy`.split(/\s+/),
)

/** Returns a function that checks whether Docker includes a file. The last line that matches the file or one of its folders decides. */
function parseDockerignore(text: string) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const rules = lines.map((line) => {
    const pattern = line.replace('!', '').replaceAll('.', '\\.').replaceAll('**/', '(.{1,}/)?').replaceAll(/\*/g, '[^/]*')
    return { isIncluded: line.startsWith('!'), pattern: new RegExp(`^${pattern}(/|$)`) }
  })
  return (path: string) => rules.findLast(({ pattern }) => pattern.test(path))?.isIncluded ?? true
}
