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
 * A test that cannot fail proves nothing. `npm run faults:prove [F05 …]` breaks one line of a copy of the product for each fault, runs
 * that fault's test against it, and expects it to fail.
 */
const root = join(import.meta.dirname, '../..')
const wanted = process.argv.slice(2)
const say = (text: string) => process.stdout.write(`${text}\n`)

const chosen = brokenLines.filter(({ fault }) => wanted.length === 0 || wanted.includes(fault))
if (chosen.length === 0) {
  say(`There is no broken line for ${wanted.join(', ')}.`)
  process.exit(1)
}
const results = chosen.map((line) => ({ line, ...prove(line) }))
say('\n| fault | broken line | what it does | the test said |\n|---|---|---|---|')
for (const { line, noticed, said } of results) {
  say(`| ${line.fault} | ${line.file} | ${line.breaks} | ${noticed ? said : '**NOTHING: it passed**'} |`)
}
const missed = results.filter(({ noticed }) => !noticed)
say(`\n${results.length - missed.length} noticed, ${missed.length} not`)
process.exit(missed.length === 0 ? 0 : 1)

function prove(line: BrokenLine): { noticed: boolean; said: string } {
  const copy = mkdtempSync(join(tmpdir(), 'neptune-broken-'))
  try {
    copyProject(copy)
    breakLine(copy, line)
    say(`\n${line.fault}: ${line.breaks}\n  ${line.file}\n  - ${line.from.trim()}\n  + ${line.to.trim()}`)
    const said = runTest(copy, line)
    say(said === undefined ? '  the test PASSED on the broken build' : `  the test said: ${said}`)
    return { noticed: said !== undefined, said: said ?? '' }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Everything git would take, and the packages by links: our own ones lead to the copy, or its contract would be the unbroken one. */
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
  for (const side of ['', 'server', 'web', 'tests', 'contract']) {
    const packages = join(root, side, 'node_modules')
    if (!existsSync(packages)) continue
    mkdirSync(join(copy, side, 'node_modules'), { recursive: true })
    for (const name of readdirSync(packages).filter(
      (name) => /^\.(bin|package-lock\.json)$/.test(name) || !/^(\.|@neptune$)/.test(name),
    ))
      symlinkSync(join(packages, name), join(copy, side, 'node_modules', name))
  }
  mkdirSync(join(copy, 'node_modules/@neptune'))
  for (const side of ['contract', 'server', 'web', 'tests'])
    symlinkSync(join(copy, side), join(copy, 'node_modules/@neptune', side))
  if (existsSync(join(root, 'web/dist'))) cpSync(join(root, 'web/dist'), join(copy, 'web/dist'), { recursive: true })
}

function breakLine(copy: string, { fault, file, from, to }: BrokenLine) {
  const source = readFileSync(join(copy, file), 'utf8')
  const times = source.split(from).length - 1
  if (times !== 1) throw new Error(`${fault}: in ${file} this stands ${times} times, not once: ${from}`)
  writeFileSync(
    join(copy, file),
    source.replace(from, () => to),
  )
}

interface Report {
  numPassedTests: number
  testResults: { message: string; assertionResults: { status: string; title: string; failureMessages: string[] }[] }[]
}

/** What the first failing test said; undefined when none failed. Nothing run at all is a mistake of ours, not a proof. */
function runTest(copy: string, { fault, test, name }: BrokenLine): string | undefined {
  const report = join(copy, 'report.json')
  const words = ['run', '--project=faults', `tests/faults/${test}`, '--reporter=json', `--outputFile.json=${report}`]
  const filter = name === undefined ? [] : ['-t', name]
  const { stdout, stderr } = spawnSync(process.execPath, [join(copy, 'node_modules/vitest/vitest.mjs'), ...words, ...filter], {
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
  return failed && shortly(failed.failureMessages[0] ?? 'it failed')
}

/** One line of a table. A list that should be empty is said with its first item. */
function shortly(message: string): string {
  const plain = stripVTControlCharacters(message)
  const [, item = ''] = /^\+ {3}(.+)$/m.exec(plain) ?? []
  return [plain.split('\n')[0], item].filter(Boolean).join(' ').replaceAll('|', '\\|').slice(0, 300)
}
