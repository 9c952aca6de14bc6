import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Package {
  version?: string
  resolved?: string
  link?: boolean
  optionalDependencies?: Record<string, string>
}

const { packages }: { packages: Record<string, Package> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
)

const platforms = {
  'linux-arm64': /linux[-.]?(arm64|aarch64)(?!.*musl)/,
  'linux-x64': /linux[-.]?(x64|x86[-_]64)(?!.*musl)/,
  'darwin-arm64': /(darwin|macos)[-.]?(arm64|aarch64)/,
  'win32-x64': /(win32|windows|win)[-.]?(x64|x86[-_]64)/,
}

it('contains no download URLs, so that packages install from the configured registry', () => {
  expect(Object.entries(packages).filter(([, { resolved, link }]) => resolved && !link)).toEqual([])
})

// npm silently drops a missing platform package, and the tool then fails on other machines.
it.each(Object.entries(platforms))('has every native package in the right version for %s', (_, pattern) => {
  const readPackageName = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const locked = new Set(Object.entries(packages).map(([path, { version }]) => `${readPackageName(path)}@${version}`))
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
    const forPlatform = Object.entries(optionalDependencies).filter(([name]) => pattern.test(name))
    const isNative = path !== '' && Object.keys(optionalDependencies).length >= 3 && forPlatform.length > 0
    return isNative && !forPlatform.some(([name, range]) => !/^\d/.test(range) || locked.has(`${name}@${range}`))
      ? [readPackageName(path)]
      : []
  })
  expect(missing).toEqual([])
})
