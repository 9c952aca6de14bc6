import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { BrokenLine } from './broken-line.ts'
import { brokenLines } from './broken-lines.ts'

/**
 * Proves that the fault tests can fail: `npm run faults:prove [F05 …]` breaks one line in a copy of the product for each fault, runs that
 * fault's test against the copy, and expects it to fail.
 */
const root = join(import.meta.dirname, '../..')
const faultNames = process.argv.slice(2)
const print = (text: string) => process.stdout.write(`${text}\n`)

const chosen = brokenLines.filter(({ fault }) => faultNames.length === 0 || faultNames.includes(fault))
if (chosen.length === 0) {
  print(`There is no broken line for ${faultNames.join(', ')}.`)
  process.exit(1)
}
const results = chosen.map((line) => ({ line, ...prove(line) }))
print('\n| fault | broken line | what goes wrong | test failure |\n|---|---|---|---|')
for (const { line, isDetected, message } of results) {
  print(`| ${line.fault} | ${line.file} | ${line.breaks} | ${isDetected ? message : '**none: the test passed**'} |`)
}
const missed = results.filter(({ isDetected }) => !isDetected)
print(`\n${results.length - missed.length} detected, ${missed.length} missed`)
process.exit(missed.length === 0 ? 0 : 1)

function prove(line: BrokenLine): { isDetected: boolean; message: string } {
  const copy = mkdtempSync(join(tmpdir(), 'neptune-broken-'))
  try {
    copyProject(copy)
    breakLine(copy, line)
    print(`\n${line.fault}: ${line.breaks}\n  ${line.file}\n  - ${line.from.trim()}\n  + ${line.to.trim()}`)
    const message = runTest(copy, line)
    print(message === undefined ? '  the test PASSED on the broken build' : `  the test failed: ${message}`)
    return { isDetected: message !== undefined, message: message ?? '' }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/**
 * Copies all files that git tracks or would add, and links the packages. Our own packages link to the copy, so that it uses
 * its own contract.
 */
function copyProject(copy: string) {
  const { stdout } = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  for (const workspace of ['', 'server', 'web', 'tests', 'contract']) {
    const packages = join(root, workspace, 'node_modules')
    if (!existsSync(packages)) continue
    mkdirSync(join(copy, workspace, 'node_modules'), { recursive: true })
    for (const name of readdirSync(packages).filter(
      (name) => /^\.(bin|package-lock\.json)$/.test(name) || !/^(\.|@neptune$)/.test(name),
    ))
      symlinkSync(join(packages, name), join(copy, workspace, 'node_modules', name))
  }
  mkdirSync(join(copy, 'node_modules/@neptune'))
  for (const workspace of ['contract', 'server', 'web', 'tests'])
    symlinkSync(join(copy, workspace), join(copy, 'node_modules/@neptune', workspace))
  if (existsSync(join(root, 'web/dist'))) cpSync(join(root, 'web/dist'), join(copy, 'web/dist'), { recursive: true })
}

function breakLine(copy: string, { fault, file, from, to }: BrokenLine) {
  const source = readFileSync(join(copy, file), 'utf8')
  const times = source.split(from).length - 1
  if (times !== 1) throw new Error(`${fault}: found ${times} times instead of once in ${file}: ${from}`)
  writeFileSync(
    join(copy, file),
    source.replace(from, () => to),
  )
}

interface Report {
  numPassedTests: number
  testResults: { message: string; assertionResults: { status: string; title: string; failureMessages: string[] }[] }[]
}

/** Returns the message of the first failing test, or undefined if none failed. Throws if no test ran at all. */
function runTest(copy: string, { fault, test, name }: BrokenLine): string | undefined {
  const report = join(copy, 'report.json')
  const args = ['run', '--project=faults', `tests/faults/${test}`, '--reporter=json', `--outputFile.json=${report}`]
  const filter = name === undefined ? [] : ['-t', name]
  const { stdout, stderr } = spawnSync(process.execPath, [join(copy, 'node_modules/vitest/vitest.mjs'), ...args, ...filter], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (!existsSync(report)) throw new Error(`${fault}: the test did not run:\n${stdout}${stderr}`)
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.find(({ status }) => status === 'failed')
  if (!failed && numPassedTests === 0)
    throw new Error(`${fault}: no test ran: ${testResults.map(({ message }) => message).join('\n')}`)
  return failed && shorten(failed.failureMessages[0] ?? 'it failed')
}

/** Shortens a failure message to one table cell, with the first item of a list that should be empty. */
function shorten(message: string): string {
  const plain = stripVTControlCharacters(message)
  const [, item = ''] = /^\+ {3}(.+)$/m.exec(plain) ?? []
  return [plain.split('\n')[0], item].filter(Boolean).join(' ').replaceAll('|', '\\|').slice(0, 300)
}
