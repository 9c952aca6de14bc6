// A Chromium for the browser tests: the machine's own, else Playwright's, else one is installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { aptInstall } from './apt.mjs'

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
  return aptInstall('chromium-headless-shell', 'fonts-liberation') || aptInstall('chromium', 'fonts-liberation')
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
