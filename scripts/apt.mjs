// Installs the system packages that the tests need, with apt.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

let isUpdated = false

/** Installs packages. Returns false if that is not possible here. */
export function aptInstall(...names) {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  if (!isUpdated) apt('update', '-qq') // if it fails, the existing package lists may be enough
  isUpdated = true
  return apt('install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...names)
}

/** Installs strace, which makes system calls fail in the fault tests. */
export function ensureStrace() {
  if (['/usr/bin/strace', '/usr/local/bin/strace'].some((path) => existsSync(path))) return
  console.log('Installing strace for the tests (once)…')
  if (!aptInstall('strace')) throw new Error('strace could not be installed. Install it manually.')
}

/** Installs curl, which runs the examples in docs/api.md. Without it, that test fails with a message. */
export function ensureCurl() {
  if (!existsSync('/usr/bin/curl')) aptInstall('curl')
}

/** Installs oathtool, which computes the codes of authenticator apps. Without it, those tests fail with a message. */
export function ensureOathtool() {
  if (!existsSync('/usr/bin/oathtool')) aptInstall('oathtool')
}

/** Installs nginx, as a reverse proxy for the tests and for comparison in the benchmark. Returns false if that is not possible. */
export function ensureNginx() {
  const isInstalled = () => existsSync('/usr/sbin/nginx')
  if (isInstalled()) return true
  console.error('Installing nginx for the tests (once)…')
  return aptInstall('nginx') && isInstalled()
}

/** Installs OpenStack Swift, an object store. Returns false if that is not possible. */
export function ensureSwift() {
  const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']
  const programs = ['swift-proxy-server', 'swift-account-server', 'swift-container-server', 'swift-object-server', 'memcached']
  const isInstalled = () => programs.every((name) => existsSync(`/usr/bin/${name}`))
  if (isInstalled()) return true
  console.error('Installing OpenStack Swift for the tests (once)…')
  return aptInstall(...packages) && isInstalled()
}

/** Installs LibreOffice and ffmpeg, which make previews and thumbnails. Without them, those tests fail with a message. */
export function ensurePreviewPrograms() {
  if (!existsSync('/usr/bin/ffmpeg')) aptInstall('ffmpeg')
  if (existsSync('/usr/bin/soffice')) return
  console.log('Installing LibreOffice for the tests (once)…')
  aptInstall('libreoffice-writer-nogui', 'libreoffice-calc-nogui', 'libreoffice-impress-nogui')
}
