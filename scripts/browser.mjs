// Finds a Chromium for the browser tests: the system's own or Playwright's. Installs one if there is none.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { aptInstall } from './apt.mjs'

/** Returns the path of Chromium. Installs it if there is none. */
export function ensureBrowser() {
  const found = findBrowser()
  if (found) return found
  console.log('Installing Chromium for the tests (once)…')
  if (!installWithApt()) installWithPlaywright()
  const installed = findBrowser()
  if (!installed) throw new Error('Chromium could not be installed. Install it manually and set CHROMIUM to its path.')
  return installed
}

function findBrowser() {
  // The headless shell comes first: it is the same browser, but uses a fifth less CPU time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  return [process.env.CHROMIUM, ...names.map((name) => `/usr/bin/${name}`), findPlaywrightBrowser()].find(
    (path) => path && existsSync(path),
  )
}

function installWithApt() {
  return aptInstall('chromium-headless-shell', 'fonts-liberation') || aptInstall('chromium', 'fonts-liberation')
}

/** Returns the path of Playwright's Chromium. Runs Playwright in another process, because `import()` can't run synchronously here. */
function findPlaywrightBrowser() {
  const code = "import { chromium } from '@playwright/test'; process.stdout.write(chromium.executablePath())"
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: import.meta.dirname }).stdout
}

function installWithPlaywright() {
  spawnSync('npx', ['playwright', 'install', '--with-deps', 'chromium'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}
