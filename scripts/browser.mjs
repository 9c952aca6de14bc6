// A Chromium for the browser tests: the machine's own, else Playwright's, else one is installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export function ensureBrowser() {
  const found = findBrowser()
  if (found) return found
  console.log('Installing Chromium for the tests (once)…')
  if (!installByApt()) installByPlaywright()
  const installed = findBrowser()
  if (!installed) throw new Error('Chromium could not be installed. Install it yourself and set CHROMIUM to its path.')
  return installed
}

function findBrowser() {
  // The first is the same browser without windows: it takes a fifth less of the processor.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  return [process.env.CHROMIUM, ...names.map((name) => `/usr/bin/${name}`), playwrightsOwn()].find(
    (path) => path && existsSync(path),
  )
}

function installByApt() {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  const install = (name) => apt('install', '-y', '--no-install-recommends', name, 'fonts-liberation')
  apt('update', '-qq') // or what is known already will do
  return install('chromium-headless-shell') || install('chromium')
}

const playwright = (code) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: import.meta.dirname })

function playwrightsOwn() {
  return playwright("import { chromium } from '@playwright/test'; process.stdout.write(chromium.executablePath())").stdout
}

function installByPlaywright() {
  spawnSync('npx', ['playwright', 'install', '--with-deps', 'chromium'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}
