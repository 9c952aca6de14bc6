import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { settings, signIn } from '../support/signed-in.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { makePlace, walk } from './walk.ts'

/** These have few rows in any house, or one page of them is all there is. */
const small = [
  'company',
  'user',
  'webhook',
  'directory',
  'installation',
  'audit_head',
  'audit_checkpoint',
  'job',
  'kysely_migration',
]

it('F22: no question goes through a large table in SQLite, which decides so without looking at how much is in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-plans-'))
  try {
    const file = join(folder, 'statements')
    const more = {
      DATA_DIR: join(folder, 'data'),
      NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/statements.ts')}`,
      NEPTUNE_STATEMENTS: file,
    }
    {
      await using _ = await startNeptune({ ...settings, DATA_DIR: more.DATA_DIR }) // makes the database
    }
    {
      await using started = await startNeptune({ ...settings, THUMBNAILS: 'on', ...more })
      const neptune = await signIn(started)
      await walk(neptune, await makePlace(neptune), async () => undefined)
      expect((await runCommand(['gc'], more)).code).toBe(0) // as the server does every minute
    }
    const asked = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string)
    const questions = asked.filter(
      (sql) => /^(select|insert|update|delete|with)\b/i.test(sql) && !/sqlite_|pragma|kysely/.test(sql),
    )
    expect(questions.length).toBeGreaterThan(100)
    using db = new DatabaseSync(join(folder, 'data/neptune.db'), { readOnly: true })
    const found = questions.flatMap((sql) => {
      const steps = db
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
      // SQLite keeps the audit log in the order of `seq`: with a limit it reads that many rows, and skips no more than a slice has.
      const isTrail = /order by ("audit"\.)?"seq"( asc| desc)? limit \?( offset \?)?$/.test(sql) && !sql.includes(' where ')
      // What a question within the question has found is no table.
      const isFound = (step: string) => sql.includes(`) as "${tableOf(step, sql)}"`)
      const isWhole = (step: string) =>
        /^SCAN (?!.*(USING|VIRTUAL|CONSTANT|VALUES))/.test(step) &&
        !small.includes(tableOf(step, sql)) &&
        !isTrail &&
        !isFound(step)
      return steps.filter(isWhole).map((step) => `${step}: ${sql}`)
    })
    expect(found).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A step names a table as its question calls it. */
function tableOf(step: string, sql: string): string {
  const [, name = ''] = /^SCAN (\w+)/.exec(step) ?? []
  return new RegExp(`"(\\w+)" as "${name}"`).exec(sql)?.[1] ?? name
}
