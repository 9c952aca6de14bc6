// `npm test` runs the checks that every change must pass, also on a fresh clone. `npm run test:all` adds the slow ones. The last
// line of the output is `N passed, N failed`. A skipped test counts as failed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureCurl, ensureNginx, ensureOathtool, ensurePreviewPrograms, ensureStrace } from './apt.mjs'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt, ensureInstalled, findNode, root } from './prepare.mjs'

ensureInstalled({ dev: true })
const node = findNode()
if (realpathSync(node) !== realpathSync(process.execPath)) {
  process.exit(spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)
}

const reports = mkdtempSync(join(tmpdir(), 'neptune-reports-'))
const packageFile = (name) => join(root, 'node_modules', name)
const vitest = [
  packageFile('vitest/vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reports}/vitest.json`,
]

/** Returns the arguments that run the browser tests. The user’s arguments come last, so that `npm run looks -- --grep …` selects tests. */
function playwright(...options) {
  const config = ['test', '--config=tests/playwright.config.ts', '--reporter=list,json']
  return [packageFile('@playwright/test/cli.js'), ...config, ...options, ...process.argv.slice(3)]
}

const browserTests = {
  before: () => {
    ensureBuilt()
    return { CHROMIUM: ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'playwright.json') }
  },
  args: playwright(),
  count: () => {
    const { expected, unexpected, flaky, skipped } = readReport('playwright.json').stats
    return { passed: expected, failed: unexpected + flaky + skipped }
  },
}

/** Opens every screen and dialog in every language, in both themes and at three widths, instead of in one combination. */
const allLooks = { before: () => ({ ...browserTests.before(), NEPTUNE_LOOKS: 'all' }) }

/**
 * The steps of all commands. `before` prepares a step and returns environment variables for it. `count` reads the test runner's report;
 * a step without it counts as one test. `npm test` leaves out steps with `isSlow`, `npm run test:all` those with `isSubset`.
 */
const steps = [
  { group: 'check', name: 'format and lint', args: [packageFile('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '.'] },
  { group: 'check', name: 'types', args: [packageFile('typescript/bin/tsc'), '-p', '.'] },
  { group: 'check', name: 'types of the web app', args: [packageFile('typescript/bin/tsc'), '-p', 'web'] },
  { group: 'check', name: 'types of the tests', args: [packageFile('typescript/bin/tsc'), '-p', 'tests'] },
  { group: 'check', name: 'unused code', args: [packageFile('knip/bin/knip.js'), '--no-progress'] },
  { group: 'check', name: 'docs/openapi.json is up to date', args: ['scripts/openapi.mjs', '--check'] },
  {
    group: 'unit',
    name: 'unit tests, the server on SQLite and PostgreSQL, and the server as a process',
    before: () => {
      ensureBuilt()
      ensureCurl()
      ensureOathtool()
    },
    args: [...vitest, '--project=!faults', '--project=!cluster', '--project=!postgres-rest'],
    count: countVitest,
  },
  {
    ...browserTests,
    group: 'main e2e',
    isSubset: true,
    name: 'the web app in Chromium, without the tests tagged @slow',
    args: playwright('--grep-invert=@slow'),
  },
  { ...browserTests, group: 'e2e', isSlow: true, isSubset: true, name: 'the web app in Chromium' },
  {
    ...browserTests,
    ...allLooks,
    group: 'looks',
    isSlow: true,
    isSubset: true,
    name: 'every screen and dialog in every language, in both themes and at three widths (screenshots in test-results/pictures)',
    args: playwright('--grep=axe|clean|German|look|P52'),
  },
  {
    group: 'faults',
    isSlow: true, // `npm run faults [file]`
    name: 'fault injection',
    before: () => {
      ensureBuilt()
      ensureStrace()
      ensurePreviewPrograms()
    },
    args: [...vitest, '--project=faults', '--no-file-parallelism', ...process.argv.slice(3)],
    count: countVitest,
  },
  {
    group: 'cluster',
    isSlow: true, // `npm run cluster [file]`
    name: 'several nodes as in docs/operating/cluster.md, and the remaining server tests on PostgreSQL',
    before: () => {
      ensureBuilt()
      ensureNginx()
      ensureOathtool()
    },
    args: [...vitest, '--project=cluster', '--project=postgres-rest', '--no-file-parallelism', ...process.argv.slice(3)],
    count: countVitest,
  },
  {
    ...browserTests,
    group: 'cluster:e2e',
    isSlow: true,
    name: 'the web app in Chromium, on two nodes behind nginx with PostgreSQL and S3',
    before: () => ({ ...browserTests.before(), NEPTUNE_ON: 'cluster' }),
    // The main flows, and everything about uploads and recipients, whose requests reach different nodes.
    args: playwright('--grep=^(?!.*@slow)|/(uploads|access)/'),
  },
  {
    group: 'fuzz',
    isSlow: true, // `npm run fuzz -- --seed N`
    name: 'fuzzing of every operation in /openapi.json',
    before: ensureBuilt,
    args: ['tests/fuzz/main.ts', ...process.argv.slice(3)],
  },
  // `npm run test:all` runs both groups at once, because some tests belong to both.
  { ...browserTests, ...allLooks, group: 'e2e and looks', isSlow: true, name: 'the web app in Chromium, in every look' },
]

const selected = process.argv[2]
let passed = 0
let failed = 0
const isSelected = ({ group, isSlow, isSubset }) => {
  if (selected === 'all') return !isSubset // another step runs these tests, too
  return selected ? group === selected : !isSlow
}
for (const step of steps.filter(isSelected)) {
  console.log(`\n▸ ${step.name}`)
  const startedAt = performance.now()
  const stepEnvironment = step.before?.()
  for (const report of ['vitest.json', 'playwright.json']) rmSync(join(reports, report), { force: true }) // old reports
  const env = {
    ...process.env,
    ...stepEnvironment,
    PATH: `${dirname(node)}:${process.env.PATH}`,
    FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
  }
  const { status } = spawnSync(node, step.args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env })
  const result = countResults(step, status)
  passed += result.passed
  failed += result.failed
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  console.log(`▸ ${result.passed} of ${result.passed + result.failed} passed in ${minutes} minutes`)
}
rmSync(reports, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Counts passed and failed tests. A runner that crashed, or failed although every test passed, counts as one failure. */
function countResults({ count }, status) {
  if (!count) return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 }
  try {
    const result = count()
    return status !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function countVitest() {
  const { numPassedTests, numTotalTests } = readReport('vitest.json')
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests }
}

function readReport(name) {
  return JSON.parse(readFileSync(join(reports, name), 'utf8'))
}
