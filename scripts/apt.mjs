// What the tests need of the machine, from Debian's packages.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

let isUpdated = false

/** False when it cannot be had this way. */
export function aptInstall(...names) {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  if (!isUpdated) apt('update', '-qq') // or what is known already will do
  isUpdated = true
  return apt('install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...names)
}

/** It makes a disk or a database fail at a chosen call. */
export function ensureStrace() {
  if (['/usr/bin/strace', '/usr/local/bin/strace'].some((path) => existsSync(path))) return
  console.log('Installing strace for the tests (once)…')
  if (!aptInstall('strace')) throw new Error('strace could not be installed. Install it yourself.')
}

/** With it, docs/api.md is pasted into a shell. Where it cannot be had, that test says so. */
export function ensureCurl() {
  if (!existsSync('/usr/bin/curl')) aptInstall('curl')
}

/** To stand in front of Neptune, or beside it as what it is measured by. False when it cannot be had here. */
export function ensureNginx() {
  const isThere = () => existsSync('/usr/sbin/nginx')
  if (isThere()) return true
  console.error('Installing nginx for the tests (once)…')
  return aptInstall('nginx') && isThere()
}

/** OpenStack Swift, an object store. False when it cannot be had here. */
export function ensureSwift() {
  const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']
  const programs = ['swift-proxy-server', 'swift-account-server', 'swift-container-server', 'swift-object-server', 'memcached']
  const isThere = () => programs.every((name) => existsSync(`/usr/bin/${name}`))
  if (isThere()) return true
  console.error('Installing OpenStack Swift for the tests (once)…')
  return aptInstall(...packages) && isThere()
}
