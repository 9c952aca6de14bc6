import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { ActivityFilters, actions } from '@neptune/contract'
import { safeParse } from 'zod'
import { exportCsv } from '../features/activity/activity.service.ts'
import { record } from '../features/audit/audit.service.ts'
import { verifyAuditLog } from '../features/audit/verify-audit.service.ts'
import { describeError } from '../installation/open-installation.ts'
import { allCompanies } from '../lib/actor.ts'
import { openForCommand } from './open-for-command.ts'
import { type Command, CommandError, formatCount } from './terminal.ts'

export const auditVerify: Command = {
  usage: '[--log FILE]',
  summary: 'Checks that no audit entry was changed, removed or inserted',
  details: `
Verifies the whole audit log with the secret key and lists the entries that do not match. Start your investigation with the first one.
Can run while the server is running.

--log FILE  also compares the audit log with the checkpoints in the server's log, which shows whether the newest entries were
            removed. FILE is the unchanged log, one JSON object per line; - reads standard input`,
  positionals: [],
  options: { log: { type: 'string' } },
  async run({ options, workingDirectory, print }) {
    const { log } = options
    const checkpoints = typeof log === 'string' ? await readCheckpoints(log === '-' ? log : resolve(workingDirectory, log)) : []
    await using opened = await openForCommand()
    const { rows, from, to, head, problems } = await verifyAuditLog(opened.deps, { checkpoints })
    for (const { kind, text } of problems) print(`${kind.padEnd(10)} ${text}`)
    const compared = typeof log === 'string' ? `, and ${formatCount(checkpoints.length, 'checkpoint')} in the log` : ''
    const range = rows > 0 ? `, ${from} to ${to}` : ''
    print(`Checked ${rows} audit ${rows === 1 ? 'entry' : 'entries'}${range}${compared}. The audit log ends at ${head}.`)
    print(problems.length === 0 ? 'The audit log is intact.' : 'The audit log is not intact.')
    return problems.length > 0 ? 1 : 0
  },
}

/** Reads the checkpoints in a server log. Skips lines that are not JSON, such as those at start and stop. */
async function readCheckpoints(path: string): Promise<{ seq: number; mac: string }[]> {
  const found: { seq: number; mac: string }[] = []
  const input = path === '-' ? process.stdin : createReadStream(path)
  try {
    const failed = new Promise<never>((_, reject) => input.once('error', reject))
    const read = async () => {
      for await (const line of createInterface({ input })) {
        const { seq, mac } = parseCheckpoint(line) ?? {}
        if (Number.isSafeInteger(seq) && typeof mac === 'string') found.push({ seq: Number(seq), mac })
      }
    }
    await Promise.race([read(), failed])
    return found
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${describeError(error)}`)
  }
}

function parseCheckpoint(line: string): { seq?: unknown; mac?: unknown } | undefined {
  if (!line.includes('"checkpoint"')) return undefined
  try {
    return JSON.parse(line.slice(line.indexOf('{'))).checkpoint
  } catch {
    return undefined
  }
}

const filterOptions = ['person', 'link', 'file', 'directory', 'company', 'action', 'outcome', 'from', 'to'] as const

/** Turns a date without a time into midnight in UTC. */
const addMidnight = ([name, value]: [string, unknown]) =>
  ['from', 'to'].includes(name) && /^\d{4}-\d\d-\d\d$/.test(String(value)) ? [name, `${value}T00:00:00Z`] : [name, value]

export const auditExport: Command = {
  usage: '[--from TIME] [--to TIME] [--action ACTION] […]',
  summary: 'Prints the audit log as CSV',
  details: `
Oldest entries first. Can run while the server is running.

--from TIME, --to TIME    such as 2026-01-31 or 2026-01-31T12:00:00Z; --to is exclusive
--action ACTION           such as file.downloaded
--outcome OUTCOME         done or refused
--person, --link, --file, --directory, --company ID       as in the URL of the filtered Activity page

Actions: ${actions.join(', ')}`,
  positionals: [],
  options: Object.fromEntries(filterOptions.map((name) => [name, { type: 'string' as const }])),
  async run({ options }) {
    const parsed = safeParse(ActivityFilters, Object.fromEntries(Object.entries(options).map(addMidnight)))
    if (!parsed.success)
      throw new CommandError(parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join(' '))
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
    for await (const lines of exportCsv(deps, parsed.data, async () => ({ scope: allCompanies })))
      if (!process.stdout.write(lines)) await new Promise((resolve) => process.stdout.once('drain', resolve))
    return 0
  },
}
