import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { ActivityFilters, actions } from '@neptune/contract'
import { safeParse } from 'zod'
import { exportCsv } from '../features/activity/activity.service.ts'
import { record } from '../features/audit/audit.service.ts'
import { verifyAuditLog } from '../features/audit/trail.service.ts'
import { describeError } from '../open.ts'
import { openForCommand } from './open.ts'
import { type Command, countInWords, UsageError } from './terminal.ts'

export const auditVerify: Command = {
  usage: '[--log FILE]',
  summary: 'Checks that nobody altered, removed or put in a row of the trail of activity',
  details: `
Walks the whole trail with the secret key. Names the rows that are not as they were written; the first of them is where to look. May run
beside the server.

--log FILE  also compares with the checkpoints that the server wrote to its log: so one sees also that the newest rows were cut off.
            FILE is the log as it is, one JSON object a line; - reads the standard input`,
  words: [],
  options: { log: { type: 'string' } },
  async run({ options, folder, say }) {
    const { log } = options
    const checkpoints = typeof log === 'string' ? await readCheckpoints(log === '-' ? log : resolve(folder, log)) : []
    await using opened = await openForCommand()
    const { rows, from, to, head, problems } = await verifyAuditLog(opened.deps, { checkpoints })
    for (const { what, text } of problems) say(`${what.padEnd(10)} ${text}`)
    const against = typeof log === 'string' ? `, and ${countInWords(checkpoints.length, 'checkpoint')} of the log` : ''
    say(`Checked ${countInWords(rows, 'row')}${rows > 0 ? `, ${from} to ${to}` : ''}${against}. The trail ends at ${head}.`)
    say(problems.length === 0 ? 'The trail is as it was written.' : 'The trail is not as it was written.')
    return problems.length > 0 ? 1 : 0
  },
}

/** Lines of the log that are no JSON, as those of starting and stopping, are of no interest. */
async function readCheckpoints(path: string): Promise<{ seq: number; mac: string }[]> {
  const found: { seq: number; mac: string }[] = []
  const input = path === '-' ? process.stdin : createReadStream(path)
  try {
    const failed = new Promise<never>((_, reject) => input.once('error', reject))
    const read = async () => {
      for await (const line of createInterface({ input })) {
        const { seq, mac } = checkpointIn(line) ?? {}
        if (Number.isSafeInteger(seq) && typeof mac === 'string') found.push({ seq: Number(seq), mac })
      }
    }
    await Promise.race([read(), failed])
    return found
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${describeError(error)}`)
  }
}

function checkpointIn(line: string): { seq?: unknown; mac?: unknown } | undefined {
  if (!line.includes('"checkpoint"')) return undefined
  try {
    return JSON.parse(line.slice(line.indexOf('{'))).checkpoint
  } catch {
    return undefined
  }
}

const filters = ['person', 'link', 'file', 'directory', 'company', 'action', 'outcome', 'from', 'to'] as const

/** A day begins at midnight, in UTC. */
const withTime = ([name, value]: [string, unknown]) =>
  ['from', 'to'].includes(name) && /^\d{4}-\d\d-\d\d$/.test(String(value)) ? [name, `${value}T00:00:00Z`] : [name, value]

export const auditExport: Command = {
  usage: '[--from TIME] [--to TIME] [--action ACTION] […]',
  summary: 'Writes the trail of activity to the standard output, as CSV',
  details: `
The oldest first. May run beside the server.

--from TIME, --to TIME    such as 2026-01-31, or 2026-01-31T12:00:00Z; to is not included
--action ACTION           such as file.downloaded
--outcome OUTCOME         done or refused
--person, --link, --file, --directory, --company ID       as in the address of the Activity page, filtered so

Actions: ${actions.join(', ')}`,
  words: [],
  options: Object.fromEntries(filters.map((name) => [name, { type: 'string' as const }])),
  async run({ options }) {
    const wanted = safeParse(ActivityFilters, Object.fromEntries(Object.entries(options).map(withTime)))
    if (!wanted.success)
      throw new UsageError(wanted.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join(' '))
    await using opened = await openForCommand()
    const { deps } = opened
    const note = Object.entries(options)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
    await deps.db
      .transaction()
      .execute((trx) =>
        record(deps, trx, [{ action: 'activity.exported', by: { kind: 'operator' }, note: note || 'everything' }]),
      )
    for await (const lines of exportCsv(deps, wanted.data, undefined))
      if (!process.stdout.write(lines)) await new Promise((resolve) => process.stdout.once('drain', resolve))
    return 0
  },
}
