import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const one = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]

const settings = all(read('server/src/config.ts').split('z.object({')[1]?.split(/^\}\)/m)[0] ?? '', /^ {2}([A-Z][A-Z0-9_]+):/gm)
const routes = all(read('server/src/http/health.ts'), /app\.get\('([^']+)'/g)
const pages = Object.fromEntries(
  readdirSync(join(root, 'docs/operating')).map((name) => [`docs/operating/${name}`, read(`docs/operating/${name}`)]),
)
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms'))].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
/** The settings of a file that a page has people write. */
const written = (page: string) =>
  parseEnv(one(pages[page] ?? '', /^ *cat >\.env <<END\n(.*?)^ *END$/ms)?.replaceAll(/^ +/gm, '') ?? '')

const env = parseEnv(read('deploy/neptune.env'))
const nginx = read('deploy/nginx.conf')
const caddy = read('deploy/Caddyfile')
const image = read('deploy/Dockerfile')
const inImage = (name: string) => one(image, new RegExp(`^ENV .*\\b${name}=(\\S+)`, 'm'))
const host = new URL(env['PUBLIC_URL'] ?? '').host

/** Where it cannot be installed, what is read below must do. */
function has(program: 'nginx' | 'caddy') {
  const isThere = () => spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined
  const script = `import { aptInstall } from './scripts/apt.mjs'; aptInstall('${program}')`
  if (!isThere()) spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, stdio: 'ignore' })
  return isThere()
}

function inFolder(work: (folder: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-deploy-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const installing = 300_000

describe('deploy: the files for operators', () => {
  it('name settings that there are', () => {
    expect(settings).toContain('X_ACCEL_REDIRECT')
    const { services } = parse(read('deploy/compose.yaml'))
    const named = {
      'neptune.env': [...Object.keys(env), ...all(read('deploy/neptune.env'), /^#([A-Z0-9_]+)=/gm)],
      'compose.yaml': Object.keys(services.neptune.environment),
      Dockerfile: all(image, /\b([A-Z][A-Z_0-9]+)=/g).filter((name) => name !== 'PATH'),
      'settings.env': Object.keys(parseEnv(read('deploy/kubernetes/settings.env'))),
      'kubernetes.md': Object.keys(written('docs/operating/kubernetes.md')),
      pages: Object.values(pages).flatMap((page) => blocks(page, 'ini').flatMap((block) => all(block, /^([A-Z0-9_]+)=/gm))),
    }
    for (const [file, names] of Object.entries(named)) {
      expect(names.length, file).toBeGreaterThan(0)
      expect(
        names.filter((name) => !settings.includes(name)),
        file,
      ).toEqual([])
    }
  })

  it('nginx: takes the file, which agrees with the settings', { timeout: installing }, () => {
    expect(all(nginx, /^ *server_name (.*);$/gm)).toEqual([host, host])
    expect(one(nginx, /^upstream neptune \{\n *server (.*);$/m)).toBe('127.0.0.1:3000')
    expect(one(nginx, /^ *alias (.*);$/m)).toBe(`${env['DATA_DIR']}/blobs/`)
    expect(nginx).toContain(`location ${one(read('deploy/neptune.env'), /^#X_ACCEL_REDIRECT=(.*)$/m)} {\n    internal;`)
    for (const line of ['client_max_body_size 0', 'proxy_request_buffering off', 'proxy_buffering off', 'access_log off'])
      expect(nginx).toContain(`  ${line};`)
    expect(nginx.match(/[{}]/g)?.length).toBe(2 * (nginx.match(/\{/g)?.length ?? 0))
    if (!has('nginx')) return
    inFolder((folder) => {
      // Sockets instead of ports, which others may have; a certificate by a name that is known only when somebody comes.
      let number = 0
      const site = nginx
        .replaceAll(/listen \S+?(;| )/g, (_, rest) => `listen unix:${folder}/${number++}${rest}`)
        .replaceAll(/(ssl_certificate\w*) .*;/g, `$1 ${folder}/$ssl_server_name;`)
        .replace('/var/log/nginx/', `${folder}/`)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/tmp;`)
      writeFileSync(
        join(folder, 'nginx.conf'),
        `user ${userInfo().username}; pid ${folder}/pid; events {} http { access_log off; ${temporary.join(' ')} ${site} }`,
      )
      const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-p', folder, '-e', 'stderr', '-c', 'nginx.conf'], {
        encoding: 'utf8',
      })
      expect({ status, stderr }).toMatchObject({ status: 0 })
    })
  })

  it('Caddy: takes the file, which agrees with the settings', { timeout: installing }, () => {
    expect(one(caddy, /^(\S+) \{\n\treverse_proxy 127\.0\.0\.1:3000 \{$/m)).toBe(host)
    expect(caddy).toContain('exclude http.log.error')
    if (!has('caddy')) return
    inFolder((folder) => {
      const where = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, PATH: process.env['PATH'] ?? '' }
      const args = ['validate', '--adapter', 'caddyfile', '--config', join(root, 'deploy/Caddyfile')]
      const { status, stderr } = spawnSync('caddy', args, { env: where, encoding: 'utf8' })
      expect({ status, stderr }).toMatchObject({ status: 0 })
      expect(stderr).not.toContain('not formatted')
    })
  })

  it('systemd: the unit starts what npm start does, may write its data alone, and gives it time to stop', () => {
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
    expect(service).not.toHaveProperty('MemoryDenyWriteExecute') // Node could not start
  })

  it('the image: is given what it is built from and no secret, runs as nobody in particular, and says whether it is well', () => {
    const isLetIn = ignoring(read('.dockerignore'))
    const { workspaces } = JSON.parse(read('package.json'))
    const needed = [
      ...workspaces.map((name: string) => `${name}/package.json`),
      join('web', JSON.parse(read('web/tsconfig.json')).extends),
      ...['package.json', 'package-lock.json', '.npmrc', 'server/src/main.ts', 'server/bin/neptune.mjs', 'web/index.html'],
      ...all(image, /(scripts\/\w+\.mjs)/g),
    ]
    expect(needed.filter((path) => !existsSync(join(root, path)) || !isLetIn(path))).toEqual([])
    const unwanted = ['.env', 'deploy/.env', 'web/.env', 'data/neptune.db', '.git/config', 'node_modules/x', 'web/node_modules/x']
    expect(unwanted.filter(isLetIn)).toEqual([])
    expect(one(image, /^EXPOSE (\d+)$/m)).toBe(inImage('PORT'))
    expect(one(image, /^VOLUME (.*)$/m)).toBe(inImage('DATA_DIR'))
    expect(one(image, /^USER (\d+:\d+)$/m)).toBe('10001:10001')
    const [, , check = ''] = JSON.parse(one(image, /^ {2}CMD (\[.*\])$/m) ?? '[]')
    expect(routes).toContain(one(check, /PORT\}(\/\w+)`/))
    const start = JSON.parse(one(image, /^CMD (.*)$/m) ?? '[]').join(' ')
    expect(JSON.parse(read('package.json')).scripts.start).toContain(`exec ${start} ||`)
  })

  it('compose: asks for nothing that its page does not write, and its parts find each other', () => {
    const text = read('deploy/compose.yaml')
    const { services, networks, configs, volumes } = parse(text)
    const { environment, ports, volumes: mounts, build, depends_on } = services.neptune
    expect(new Set(all(text, /\$\{(\w+):\?\}/g))).toEqual(new Set(Object.keys(written('docs/operating/container.md'))))
    expect(existsSync(join(root, 'deploy', build.context, build.dockerfile))).toBe(true)
    expect(ports).toEqual([`127.0.0.1:3000:${inImage('PORT')}`])
    expect(mounts).toEqual([`data:${inImage('DATA_DIR')}`])
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

  it('Kubernetes: the objects fit each other, the image and the routes', () => {
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
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(inImage('PORT')) }])
    for (const name of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      expect(routes).toContain(container[name].httpGet.path)
      expect(container[name].httpGet.port).toBe('http')
    }
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(45)
    expect(`${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`).toBe(one(image, /^USER (.*)$/m))
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toContain(inImage('DATA_DIR'))
    const generated = [...kustomization.configMapGenerator, ...kustomization.secretGenerator].map(({ name }) => name)
    expect(container.envFrom.flatMap((from: object) => Object.values(from).map(({ name }) => name))).toEqual(generated)
    const selectors = [Deployment.spec.selector, PodDisruptionBudget.spec.selector, NetworkPolicy.spec.podSelector]
    expect([...selectors.map(({ matchLabels }) => matchLabels), Service.spec.selector]).toEqual(Array(4).fill(metadata.labels))
    expect(Service.spec.ports[0]).toMatchObject({ name: 'http', targetPort: 'http' })
    const [rule] = Ingress.spec.rules
    expect(rule.http.paths[0].backend.service).toEqual({ name: Service.metadata.name, port: { name: 'http' } })
    const given = { ...parseEnv(read(`${folder}/settings.env`)), ...written('docs/operating/kubernetes.md') }
    expect([`https://${rule.host}`, `https://${Ingress.spec.tls[0].hosts[0]}`]).toEqual(Array(2).fill(given['PUBLIC_URL']))
    // Each pod has a folder of its own, which goes with it: what all need must not be made there.
    for (const name of ['SECRET_KEY', 'DATABASE_URL', 'S3_ENDPOINT', 'S3_BUCKET']) expect(given).toHaveProperty(name)
  })
})

describe('docs/operating: the pages', () => {
  it('lead to files that there are, and the first of them to every other', () => {
    const missing = Object.entries(pages).flatMap(([path, page]) =>
      all(page, /\]\((?!https?:)([^)#]+)[^)]*\)/g).filter((link) => !existsSync(join(root, dirname(path), link))),
    )
    expect(missing).toEqual([])
    const index = pages['docs/operating/README.md'] ?? ''
    const names = readdirSync(join(root, 'docs/operating')).filter((name) => name !== 'README.md')
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
  })

  it('have blocks that a shell can read', () => {
    const shell = Object.values(pages).flatMap((page) => blocks(page, 'sh'))
    expect(shell.length).toBeGreaterThan(40)
    // One shell for all: each block is a function of its own.
    const script = shell.map((block, number) => `block${number}() {\n${block}\n}`).join('\n')
    const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('name commands and options that neptune has', { timeout: 60_000 }, () => {
    const { stdout } = spawnSync(process.execPath, ['server/bin/neptune.mjs', 'help'], { cwd: root, encoding: 'utf8' })
    const known = all(stdout, /^ {2}neptune (.*)$/gm)
    expect(known.length).toBeGreaterThan(5)
    const texts = [...Object.values(pages), read('README.md')].flatMap((page) => [
      ...blocks(page, 'sh').flatMap((block) => all(block, /(?:\.bin\/neptune|npx neptune|-- neptune|neptune neptune) (.*)/g)),
      ...all(page, /`(?:npx )?neptune ([a-z][^`]*)`/g),
    ])
    expect(texts.length).toBeGreaterThan(30)
    const unknown = texts.filter((text) => {
      const [first = '', second = ''] = text.split(/\s+/)
      const name = first === 'audit' ? `${first} ${second}` : first
      const usages = known.filter((usage) => usage === name || usage.startsWith(`${name} `)).join(' ')
      return (
        first !== 'help' &&
        first !== 'COMMAND' &&
        (usages === '' || all(text, /(--[a-z-]+)/g).some((option) => !usages.includes(option)))
      )
    })
    expect(unknown).toEqual([])
  })
})

/** Its sections, each with its keys. Whatever is not a line of a unit, or said twice, is an error. */
function readUnit(text: string) {
  const sections: Record<string, Record<string, string>> = {}
  let current: Record<string, string> = {}
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const section = one(line, /^\[(\w+)\]$/)
    const [, key = '', value = ''] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? []
    if (section) sections[section] = current = {}
    else if (!unitKeys.has(key) || key in current) throw new Error(`${JSON.stringify(line)} is no line of a unit`)
    else current[key] = value
  }
  return sections
}

/** Those we know; systemd takes a misspelt one without a word. */
const unitKeys = new Set(
  `Description Documentation Wants After StartLimitIntervalSec Type User Group WorkingDirectory EnvironmentFile ExecStart ExecReload
   Restart RestartSec KillMode TimeoutStopSec LimitNOFILE StateDirectory StateDirectoryMode UMask ProtectSystem ProtectHome PrivateTmp
   PrivateDevices NoNewPrivileges CapabilityBoundingSet AmbientCapabilities RestrictSUIDSGID RestrictNamespaces RestrictRealtime
   RestrictAddressFamilies SystemCallArchitectures SystemCallFilter SystemCallErrorNumber LockPersonality KeyringMode RemoveIPC
   ProtectClock ProtectControlGroups ProtectHostname ProtectKernelLogs ProtectKernelModules ProtectKernelTunables ProtectProc
   WantedBy`.split(/\s+/),
)

/** Whether Docker takes a file along: of all lines that fit it or a folder it is in, the last one counts. */
function ignoring(text: string) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const rules = lines.map((line) => {
    const pattern = line.replace('!', '').replaceAll('.', '\\.').replaceAll('**/', '(.{1,}/)?').replaceAll(/\*/g, '[^/]*')
    return { isIn: line.startsWith('!'), pattern: new RegExp(`^${pattern}(/|$)`) }
  })
  return (path: string) => rules.findLast(({ pattern }) => pattern.test(path))?.isIn ?? true
}
