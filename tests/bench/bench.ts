import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Case, ServerName } from './case.ts'
import { groups } from './cases.ts'
import { getRepeatCount, measureUndisturbed } from './host.ts'
import { median, quantile, type Sample } from './measure.ts'
import { webGroup } from './web.ts'

/**
 * Measures the performance of Neptune as shipped, with nginx as a reference for what this machine can do. `npm run bench [-- words]` runs
 * the cases whose names contain one of the words, or all cases without words. `--peers` also measures SFTPGo and File Browser, if they are
 * installed. `--write` writes the table to docs/performance.md.
 */
const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, peers: { type: 'boolean' }, rounds: { type: 'string' } },
})
const root = join(import.meta.dirname, '../..')
const isWanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word))
/** Returns whether to start a group's servers. Compares both ways, because the names of cases are longer than those of their group. */
const isWantedGroup = (names: string[]) =>
  words.length === 0 || words.some((word) => names.some((name) => name.includes(word) || word.includes(name)))

/** One line of the table. */
interface Line {
  name: string
  unit: Case['unit']
  atMost: number | undefined
  neptune: Figures
  others: { [Name in ServerName]?: Figures }
  /** What the peers would need in addition to do what Neptune does, in the line’s unit. */
  care: number | undefined
}

interface Figures {
  /** The median, the minimum and the maximum of the rounds, in the line's unit. */
  value: number
  from: number
  to: number
  rounds: number
  /** In wall-clock time: GiB or operations per second, and the duration of one operation in ms. */
  perSecond: number | undefined
  p50: number | undefined
  p95: number | undefined
}

const toValue = (unit: Case['unit'], { cpu, seconds, amount }: Sample) =>
  unit === 'CPU-s/GiB' ? cpu / amount : unit === 'CPU-ms' ? (cpu * 1000) / amount : unit === 'ms' ? seconds * 1000 : amount

function summarize(unit: Case['unit'], samples: Sample[]): Figures {
  const values = samples.map((sample) => toValue(unit, sample))
  const times = samples.flatMap(({ times = [] }) => times)
  const isRate = unit.startsWith('CPU')
  return {
    value: median(values),
    from: Math.min(...values),
    to: Math.max(...values),
    rounds: samples.length,
    perSecond: isRate ? median(samples.map(({ amount, seconds }) => amount / seconds)) : undefined,
    p50: times.length > 0 ? median(times) : undefined,
    p95: times.length > 0 ? quantile(times, 0.95) : unit === 'ms' ? quantile(values, 0.95) : undefined,
  }
}

async function measure({ name, unit, atMost, rounds, measurements, care }: Case): Promise<Line> {
  const names = Object.keys(measurements) as ServerName[]
  const samples = new Map<ServerName, Sample[]>(names.map((name) => [name, []]))
  const careSamples: Sample[] = []
  for (let round = 0; round < Number(options.rounds ?? rounds); round++) {
    for (const name of names) {
      const work = measurements[name]
      if (work) samples.get(name)?.push(await measureUndisturbed(work))
    }
    if (care && options.peers) careSamples.push(await measureUndisturbed(care))
  }
  const line: Line = {
    name,
    unit,
    atMost,
    neptune: summarize(unit, samples.get('neptune') ?? []),
    others: Object.fromEntries([...samples].map(([name, found]) => [name, summarize(unit, found)])),
    care: careSamples.length > 0 ? summarize(unit, careSamples).value : undefined,
  }
  process.stdout.write(`${formatRow(line)}\n`)
  return line
}

const formatNumber = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))

function formatClock({ unit }: Line, { perSecond, p50, p95 }: Figures): string {
  const rate =
    perSecond === undefined ? '' : unit === 'CPU-s/GiB' ? `${(perSecond * 1024).toFixed(0)} MiB/s` : `${perSecond.toFixed(0)}/s`
  const latencies =
    p95 === undefined
      ? ''
      : p50 === undefined
        ? `p95 ${formatNumber(p95)} ms`
        : `p50 ${formatNumber(p50)}, p95 ${formatNumber(p95)} ms`
  return [rate, latencies].filter(Boolean).join(', ')
}

const titles = { empty: 'empty', nginx: 'nginx', sftpgo: 'SFTPGo', filebrowser: 'File Browser' }
const peers = options.peers ? (['nginx', 'sftpgo', 'filebrowser'] as const) : (['nginx'] as const)
const columns = [
  ...['', 'unit', 'at most', 'Neptune', 'best–worst', 'by the clock', titles.empty],
  ...peers.flatMap((peer) => [titles[peer], 'ratio', ...(options.peers ? ['with the same care'] : [])]),
]
const header = `| ${columns.join(' | ')} |\n${'|---'.repeat(columns.length)}|`

function formatRow(line: Line): string {
  const { name, unit, atMost, neptune, others, care } = line
  const isOver = atMost !== undefined && neptune.value > atMost
  const cells = [
    name,
    unit,
    atMost ?? '',
    isOver ? `**${formatNumber(neptune.value)}**` : formatNumber(neptune.value),
    neptune.rounds > 1 ? `${formatNumber(neptune.from)}–${formatNumber(neptune.to)}` : '',
    formatClock(line, neptune),
    others.empty ? formatNumber(others.empty.value) : '',
    ...peers.flatMap((name) => {
      const peer = others[name]
      const formatRatio = (value: number) => (value > 0 ? formatNumber(neptune.value / value) : '')
      return [
        peer ? [formatNumber(peer.value), formatClock(line, peer)].filter(Boolean).join(', ') : '',
        peer ? formatRatio(peer.value) : '',
        ...(options.peers ? [peer && care !== undefined ? formatRatio(peer.value + care) : ''] : []),
      ]
    }),
  ]
  return `| ${cells.join(' | ')} |`
}

const lines: Line[] = []
process.stdout.write(`${header}\n`)
for (const group of [...groups, webGroup].filter(({ names }) => isWantedGroup(names))) {
  await using stack = new AsyncDisposableStack()
  const cases = await group.open(stack, { withPeers: options.peers ?? false })
  for (const benchCase of cases.filter(({ name }) => isWanted(name))) lines.push(await measure(benchCase))
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const isClean = git('status', '--porcelain', '--', 'server', 'web', 'contract') === ''
const metadata = {
  at: new Date().toISOString(),
  commit: `${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : ', changed'}`,
  repeatCount: getRepeatCount(),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, ${process.arch}, Node ${process.versions.node}`,
}
mkdirSync(join(root, 'test-results'), { recursive: true })
writeFileSync(join(root, 'test-results/bench.json'), JSON.stringify({ ...metadata, lines }, undefined, 2))
process.stdout.write(`\n${metadata.machine}; commit ${metadata.commit}. Also in test-results/bench.json.\n`)
if (metadata.repeatCount > 0)
  process.stdout.write(`${metadata.repeatCount} measurements were repeated, because the host gave CPU time to other machines.\n`)

if (options.write) {
  const path = join(root, 'docs/performance.md')
  const [before = '', after = ''] = readFileSync(path, 'utf8').split(/<!-- table.*end of table -->/s)
  const table = [
    `Measured ${metadata.at.slice(0, 10)}, commit ${metadata.commit}, ${metadata.machine}.`,
    '',
    header,
    ...lines.map(formatRow),
  ]
  writeFileSync(path, `${before}<!-- table: npm run bench -- --write -->\n${table.join('\n')}\n<!-- end of table -->${after}`)
}
