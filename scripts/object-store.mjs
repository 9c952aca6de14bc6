// Runs a real object store for tests and for a local cluster: OpenStack Swift from Debian's packages, which supports the S3 API.
// It has one proxy and three object servers, each with a copy of every object, on free ports of the loopback interface.
//
//   node scripts/object-store.mjs start DIR        start and print the S3_* settings; keeps the data in DIR
//   node scripts/object-store.mjs run DIR          start, and stop when it is interrupted or its standard input ends
//   node scripts/object-store.mjs stop DIR         stop its processes
//   node scripts/object-store.mjs kill-one DIR N   kill object server N (1, 2 or 3) with SIGKILL
//   node scripts/object-store.mjs revive DIR       start killed object servers again and replicate to them
//
// S3_PORT sets the port of the proxy. A write needs two of the three object servers, a read one.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ensureSwift } from './apt.mjs'

const host = '127.0.0.1'
const accessKey = { id: 'test:tester', secret: 'testing' }
const startTimeoutMs = 60_000
const [command, folder = '', serverNumber = ''] = process.argv.slice(2)
const dir = resolve(folder)
const objectServers = ['object1', 'object2', 'object3']
const serverNames = ['memcached', ...objectServers, 'container', 'account', 'proxy']

async function start() {
  if (serverNames.some(isAlive)) fail(`already running in ${dir}`)
  if (!ensureSwift()) fail('Swift cannot be installed here', 3)
  for (const name of ['etc', 'run', 'data', 'log', 'cache']) mkdirSync(join(dir, name), { recursive: true })
  const ports = await findFreePorts()
  configure(ports)
  try {
    launch(serverNames, ports, buildRings(ports))
    await Promise.all(serverNames.map(waitUntilReady))
  } catch (error) {
    await stop()
    fail(error.message)
  }
  console.log(`S3_ENDPOINT=http://${host}:${ports.proxy}`)
  console.log(`S3_ACCESS_KEY_ID=${accessKey.id}\nS3_SECRET_ACCESS_KEY=${accessKey.secret}\nS3_REGION=us-east-1`)
}

async function run() {
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve)
    process.stdin.once('end', resolve).once('error', resolve).resume()
  })
  await start()
  await interrupted
  await stop()
  process.exit()
}

async function stop() {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    for (const name of serverNames) kill(name, signal)
    for (let n = 0; n < 50 && serverNames.some(isAlive); n++) await wait(100)
  }
  for (const name of serverNames) rmSync(pidFile(name), { force: true })
}

async function killObjectServer() {
  const name = `object${serverNumber}`
  if (!objectServers.includes(name) || !isAlive(name)) fail(`no ${name} is running in ${dir}`)
  kill(name, 'SIGKILL')
  while (isAlive(name)) await wait(20)
}

async function revive() {
  if (!isAlive('proxy')) fail(`nothing is running in ${dir}`)
  const dead = objectServers.filter((name) => !isAlive(name))
  if (dead.length === 0) return
  launch(dead, Object.fromEntries(dead.map((name) => [name, readPidFile(name).port])))
  await Promise.all(dead.map(waitUntilReady))
  // Without replication, a revived server may return objects that were deleted while it was down.
  runPython({ replicate: objectServers })
}

/** Starts each server as one process without children, so that a kill ends all of it. One Python process loads Swift and forks them. */
function launch(selected, ports, rings = {}) {
  const pids = runPython({ rings, servers: selected.filter((name) => name !== 'memcached') })
  if (selected.includes('memcached')) pids.memcached = launchMemcached(ports.memcached)
  for (const name of selected)
    writeFileSync(pidFile(name), JSON.stringify({ pid: pids[name], startTime: readStartTime(pids[name]), port: ports[name] }))
}

function runPython(task) {
  const args = [join(dir, 'etc/launch.py'), JSON.stringify(task)]
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', args, { encoding: 'utf8', timeout: 180_000 })
  if (status !== 0) throw new Error(`Swift failed:\n${stderr}`)
  return JSON.parse(stdout)
}

function launchMemcached(port) {
  const log = openSync(join(dir, 'log/memcached.log'), 'a')
  const args = ['-l', host, '-p', `${port}`, '-U', '0', '-m', '64', ...(process.getuid() === 0 ? ['-u', 'root'] : [])]
  const child = spawn('/usr/bin/memcached', args, { detached: true, stdio: ['ignore', log, log] })
  child.on('error', () => undefined) // waitUntilReady reports it
  child.unref()
  return child.pid
}

const pidFile = (name) => join(dir, 'run', `${name}.pid`)
const readPidFile = (name) => (existsSync(pidFile(name)) ? JSON.parse(readFileSync(pidFile(name), 'utf8')) : {})

/** Returns the start time of a process, in ticks since boot, or undefined if it is gone. Distinguishes our process from a reused pid. */
function readStartTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    return /[ZX]/.test(fields[0]) ? undefined : fields[19]
  } catch {
    return undefined
  }
}

function isAlive(name) {
  const { pid, startTime } = readPidFile(name)
  return startTime !== undefined && readStartTime(pid) === startTime
}

function kill(name, signal) {
  if (isAlive(name)) process.kill(readPidFile(name).pid, signal)
}

async function waitUntilReady(name) {
  const { port } = readPidFile(name)
  for (const startedAt = Date.now(); !(await responds(name, port)); await wait(50)) {
    if (isAlive(name) && Date.now() - startedAt < startTimeoutMs) continue
    const log = readFileSync(join(dir, 'log', `${name}.log`), 'utf8')
    throw new Error(`${name} did not start:\n${log.split('\n').slice(-6).join('\n')}`)
  }
}

async function responds(name, port) {
  if (name !== 'memcached') {
    const signal = AbortSignal.timeout(2000)
    return fetch(`http://${host}:${port}/healthcheck`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  const socket = connect(port, host)
  return new Promise((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false))).finally(() =>
    socket.destroy(),
  )
}

async function findFreePorts() {
  const probes = await Promise.all(
    serverNames.map(async (name) => {
      const probe = createServer().listen(name === 'proxy' ? Number(process.env.S3_PORT ?? 0) : 0, host)
      await once(probe, 'listening')
      return { name, probe, port: probe.address().port }
    }),
  )
  for (const { probe } of probes) probe.close()
  return Object.fromEntries(probes.map(({ name, port }) => [name, port]))
}

function configure(ports) {
  writeConfig('swift.conf', {
    'swift-hash': { swift_hash_path_prefix: 'neptune', swift_hash_path_suffix: 'neptune' },
    'storage-policy:0': { name: 'Policy-0', default: 'yes' },
  })
  for (const name of [...objectServers, 'container', 'account']) configureStorage(name, ports[name])
  configureProxy(ports)
  writeFileSync(join(dir, 'etc/launch.py'), launcher)
}

/** Assigns copies to servers. There are as many devices as copies, so every device has everything and new ports move no data. */
const buildRings = (ports) => ({
  object: objectServers.map((name, i) => ({ port: ports[name], device: `d${i + 1}` })),
  // One copy only, because no replicator runs that would reconcile several.
  container: [{ port: ports.container, device: 'd1' }],
  account: [{ port: ports.account, device: 'd1' }],
})

/**
 * The Python program that creates rings, starts servers and replicates. It overrides the location of swift.conf, which
 * Swift expects in /etc/swift.
 */
const launcher = `import json, os, runpy, sys
from swift.common import utils
import swift.account.server, swift.container.server, swift.obj.server, swift.obj.replicator, swift.proxy.server
import swift.common.middleware.s3api.s3api, swift.common.middleware.slo, swift.common.middleware.tempauth
from swift.common.ring import RingBuilder
etc = os.path.dirname(os.path.abspath(__file__))
utils.SWIFT_CONF_FILE = os.path.join(etc, 'swift.conf')
utils.HASH_PATH_PREFIX = utils.HASH_PATH_SUFFIX = b''
utils.eventlet_monkey_patch()

def make_ring(name, devices):
    builder = RingBuilder(6, len(devices), 0)
    for n, device in enumerate(devices):
        builder.add_dev({'region': 1, 'zone': n + 1, 'ip': '${host}', 'weight': 1, **device})
    builder.rebalance(seed=1)
    builder.get_ring().save(os.path.join(etc, name + '.ring.gz'))

def fork(name, program, option):
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    log = os.open(os.path.join(etc, '../log', name + '.log'), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for fd, target in ((0, os.open(os.devnull, os.O_RDONLY)), (1, log), (2, log)):
        os.dup2(target, fd)
    sys.argv = ['/usr/bin/swift-' + program, os.path.join(etc, name + '.conf'), option]
    runpy.run_path(sys.argv[0], run_name='__main__')
    os._exit(0)

task = json.loads(sys.argv[1])
for name, devices in task.get('rings', {}).items():
    make_ring(name, devices)
servers = {name: fork(name, name.rstrip('123') + '-server', '-v') for name in task.get('servers', [])}
replicators = [fork(name, 'object-replicator', 'once') for name in task.get('replicate', [])]
if any(os.waitpid(pid, 0)[1] for pid in replicators):
    sys.exit('a replicator failed')
print(json.dumps(servers))
`

function configureStorage(name, port) {
  const kind = name.replace(/\d$/, '')
  for (const n of [1, 2, 3]) mkdirSync(join(dir, 'data', name, `d${n}`), { recursive: true })
  mkdirSync(join(dir, 'cache', name), { recursive: true })
  writeConfig(`${name}.conf`, {
    DEFAULT: {
      ...commonSettings(name, port),
      devices: join(dir, 'data', name),
      mount_check: 'false',
      disable_fallocate: 'true',
      recon_cache_path: join(dir, 'cache', name),
    },
    'pipeline:main': { pipeline: `healthcheck ${kind}-server` },
    // Waits until the listing contains the object, because no updater runs that would add it later.
    [`app:${kind}-server`]: { use: `egg:swift#${kind}`, container_update_timeout: '10' },
    'filter:healthcheck': { use: 'egg:swift#healthcheck' },
    [`${kind}-replicator`]: { sync_method: 'ssync' },
  })
}

function configureProxy(ports) {
  const simpleFilters = ['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'copy', 'dlo', 'symlink']
  writeConfig('proxy.conf', {
    DEFAULT: commonSettings('proxy', ports.proxy),
    'pipeline:main': {
      pipeline:
        'catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server',
    },
    'app:proxy-server': {
      use: 'egg:swift#proxy',
      account_autocreate: 'true',
      error_suppression_interval: '1', // a revived object server is used again at once
      cors_allow_origin: '*', // for S3_DIRECT: pages of any origin may use presigned URLs
    },
    'filter:s3api': {
      use: 'egg:swift#s3api',
      location: 'us-east-1',
      min_segment_size: '5242880',
      max_upload_part_num: '10000',
      cors_preflight_allow_origin: '*',
    },
    // Deletes parts together with their object, because nothing runs that would remove them later.
    'filter:slo': { use: 'egg:swift#slo', max_manifest_segments: '10000', allow_async_delete: 'false' },
    'filter:tempauth': { use: 'egg:swift#tempauth', [`user_${accessKey.id.replace(':', '_')}`]: `${accessKey.secret} .admin` },
    'filter:cache': { use: 'egg:swift#memcache', memcache_servers: `${host}:${ports.memcached}` },
    'filter:versioned_writes': { use: 'egg:swift#versioned_writes', allow_object_versioning: 'true' },
    ...Object.fromEntries(simpleFilters.map((name) => [`filter:${name}`, { use: `egg:swift#${name}` }])),
  })
}

const commonSettings = (name, port) => ({
  bind_ip: host,
  bind_port: port,
  user: process.env.USER ?? spawnSync('id', ['-un'], { encoding: 'utf8' }).stdout.trim(),
  swift_dir: join(dir, 'etc'),
  workers: 0,
  log_name: name,
  log_level: 'WARNING',
  log_address: join(dir, 'run/no-syslog'),
})

function writeConfig(name, sections) {
  const lines = Object.entries(sections).flatMap(([section, settings]) => [
    `[${section}]`,
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    '',
  ])
  writeFileSync(join(dir, 'etc', name), lines.join('\n'))
}

function fail(message, code = 1) {
  console.error(`swift: ${message}`)
  process.exit(code)
}

const commands = { start, run, stop, 'kill-one': killObjectServer, revive }
if (!(command in commands) || !folder || /[\s%]/.test(dir)) fail('usage: start|run|stop|revive DIR, kill-one DIR 1|2|3')
await commands[command]()
