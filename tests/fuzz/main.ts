import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)

const { values } = parseArgs({ options: { seed: { type: 'string' }, rounds: { type: 'string', default: '20' } } })
const seed = Number(values.seed ?? randomInt(2 ** 31))
print(`Seed ${seed}. To repeat: npm run fuzz -- --seed ${seed}`)
const startedAt = Date.now()
const { calls, statuses, findings, neverSucceeded } = await fuzz({ seed, rounds: Number(values.rounds), maxMs: 180_000 })
print(`${calls} calls in ${Math.round((Date.now() - startedAt) / 1000)} s, by status: ${JSON.stringify(statuses)}`)
if (neverSucceeded.length > 0) print(`Never succeeded: ${neverSucceeded.join(', ')}`)
for (const finding of findings) print(`✗ ${finding}`)
print(findings.length === 0 ? 'Every reply matches the document.' : `${findings.length} mismatches with the document.`)
process.exit(findings.length === 0 ? 0 : 1)
