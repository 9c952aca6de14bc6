import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Case } from './case.ts'
import { groups } from './cases.ts'
import { measuredAgain, undisturbed } from './host.ts'
import { median, quantile, type Sample } from './measure.ts'
import { web } from './web.ts'

/**
 * How fast Neptune is, as shipped, and nginx beside it as the limit of what this machine can do: `npm run bench [-- words]`, where words
 * pick the lines whose names have one of them. `--write` keeps the table in docs/performance.md.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, rounds: { type: 'string' } },
})
const root = join(import.meta.dirname, '../..')
const isWanted = (name: string) => positionals.length === 0 || positionals.some((word) => name.includes(word))
const isWantedGroup = (names: string[]) =>
  positionals.length === 0 || positionals.some((word) => names.some((name) => name.includes(word) || word.includes(name)))

interface Line {
  name: string
  unit: Case['unit']
  atMost: number | undefined
  neptune: Figures
  nginx: Figures | undefined
}

interface Figures {
  /** In the line's unit: the median of the rounds, and the best and the worst. */
  value: number
  from: number
  to: number
  rounds: number
  /** By the clock: GiB or operations a second, and how long one took. */
  perSecond: number | undefined
  p50: number | undefined
  p95: number | undefined
}

function figuresOf(unit: Case['unit'], samples: Sample[]): Figures {
  const value = ({ cpu, seconds, amount }: Sample) =>
    ({ 'CPU-s/GiB': cpu / amount, 'CPU-ms': (cpu * 1000) / amount, ms: seconds * 1000, s: amount, MiB: amount, KiB: amount })[
      unit
    ]
  const all = samples.map(value)
  const times = samples.flatMap(({ times = [] }) => times)
  const isRate = unit.startsWith('CPU')
  return {
    value: median(all),
    from: Math.min(...all),
    to: Math.max(...all),
    rounds: samples.length,
    perSecond: isRate ? median(samples.map(({ amount, seconds }) => amount / seconds)) : undefined,
    p50: times.length > 0 ? median(times) : undefined,
    p95: times.length > 0 ? quantile(times, 0.95) : unit === 'ms' ? quantile(all, 0.95) : undefined,
  }
}

async function measure({ name, unit, atMost, rounds, contenders }: Case): Promise<Line> {
  const samples: Record<'neptune' | 'nginx', Sample[]> = { neptune: [], nginx: [] }
  for (let round = 0; round < Number(values.rounds ?? rounds); round++) {
    samples.neptune.push(await undisturbed(contenders.neptune))
    if (contenders.nginx) samples.nginx.push(await undisturbed(contenders.nginx))
  }
  const line = {
    name,
    unit,
    atMost,
    neptune: figuresOf(unit, samples.neptune),
    nginx: contenders.nginx && figuresOf(unit, samples.nginx),
  }
  process.stdout.write(`${rowOf(line)}\n`)
  return line
}

const short = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))

function clockOf({ unit }: Line, { perSecond, p50, p95 }: Figures): string {
  const rate =
    perSecond === undefined ? '' : unit === 'CPU-s/GiB' ? `${(perSecond * 1024).toFixed(0)} MiB/s` : `${perSecond.toFixed(0)}/s`
  const waits = p95 === undefined ? '' : p50 === undefined ? `p95 ${short(p95)} ms` : `p50 ${short(p50)}, p95 ${short(p95)} ms`
  return [rate, waits].filter(Boolean).join(', ')
}

const header = '| | unit | at most | Neptune | best–worst | by the clock | nginx | ratio |\n|---|---|---|---|---|---|---|---|'

function rowOf(line: Line): string {
  const { name, unit, atMost, neptune, nginx } = line
  const isOver = atMost !== undefined && neptune.value > atMost
  const cells = [
    name,
    unit,
    atMost ?? '',
    isOver ? `**${short(neptune.value)}**` : short(neptune.value),
    neptune.rounds > 1 ? `${short(neptune.from)}–${short(neptune.to)}` : '',
    clockOf(line, neptune),
    nginx ? `${short(nginx.value)} (${clockOf(line, nginx)})` : '',
    nginx && nginx.value > 0 ? short(neptune.value / nginx.value) : '',
  ]
  return `| ${cells.join(' | ')} |`
}

const lines: Line[] = []
process.stdout.write(`${header}\n`)
for (const group of [...groups, web].filter(({ names }) => isWantedGroup(names))) {
  await using stack = new AsyncDisposableStack()
  for (const one of (await group.open(stack)).filter(({ name }) => isWanted(name))) lines.push(await measure(one))
}

const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
const isClean = git('status', '--porcelain', '--', 'server', 'web', 'contract') === ''
const about = {
  at: new Date().toISOString(),
  commit: `${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : ', changed'}`,
  measuredAgain: measuredAgain(),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, ${process.arch}, Node ${process.versions.node}`,
}
mkdirSync(join(root, 'test-results'), { recursive: true })
writeFileSync(join(root, 'test-results/bench.json'), JSON.stringify({ ...about, lines }, undefined, 2))
process.stdout.write(`\n${about.machine}; commit ${about.commit}. Also in test-results/bench.json.\n`)
if (about.measuredAgain > 0)
  process.stdout.write(`${about.measuredAgain} goes were measured again, because the host gave the processor to others.\n`)

if (values.write) {
  const path = join(root, 'docs/performance.md')
  const [before = '', after = ''] = readFileSync(path, 'utf8').split(/<!-- table.*end of table -->/s)
  const table = [`Measured ${about.at.slice(0, 10)}, commit ${about.commit}, ${about.machine}.`, '', header, ...lines.map(rowOf)]
  writeFileSync(path, `${before}<!-- table: npm run bench -- --write -->\n${table.join('\n')}\n<!-- end of table -->${after}`)
}
