import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { startNeptune } from '../support/start-neptune.ts'
import { settings, signInAdmin } from '../support/start-signed-in.ts'
import { createRecords, exerciseApi } from './exercise-api.ts'

/** Tables that are small in usual installations, or that fit on one page. */
const smallTables = [
  'company',
  'user',
  'webhook',
  'directory',
  'installation',
  'setting',
  'audit_head',
  'audit_checkpoint',
  'job',
  'kysely_migration',
]

it('F22: never scans a large table in SQLite, whose plans do not depend on the number of rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-plans-'))
  try {
    const file = join(folder, 'statements')
    const more = {
      DATA_DIR: join(folder, 'data'),
      NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/preload/record-statements.ts')}`,
      NEPTUNE_STATEMENTS: file,
    }
    {
      await using _ = await startNeptune({ ...settings, DATA_DIR: more.DATA_DIR }) // creates the database
    }
    {
      await using started = await startNeptune({ ...settings, THUMBNAILS: 'on', ...more })
      const neptune = await signInAdmin(started)
      await exerciseApi(neptune, await createRecords(neptune), async () => undefined)
      expect((await runCommand(['gc'], more)).code).toBe(0) // the server runs this every minute
    }
    const statements = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string)
    const queries = statements.filter(
      (sql) => /^(select|insert|update|delete|with)\b/i.test(sql) && !/sqlite_|pragma|kysely/.test(sql),
    )
    expect(queries.length).toBeGreaterThan(100)
    using db = new DatabaseSync(join(folder, 'data/neptune.db'), { readOnly: true })
    const found = queries.flatMap((sql) => {
      const steps = db
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
      // SQLite keeps the audit log in the order of `seq`: a limit bounds the rows that it reads, and an offset skips at most one slice.
      const isAuditPage = /order by ("audit"\.)?"seq"( asc| desc)? limit \?( offset \?)?$/.test(sql) && !sql.includes(' where ')
      // The results of subqueries and of recursive queries, such as the directories above or below one, are not tables.
      const isSubquery = (step: string) =>
        sql.includes(`) as "${resolveTable(step, sql)}"`) || sql.includes(`with recursive ${resolveTable(step, sql)} (`)
      // If a table has triggers, SQLite also plans to look for rows that refer to an inserted one. It does so only after a
      // violated foreign key.
      const isForeignKeyCheck = /^insert into "(company|user)" /.test(sql)
      const isFullScan = (step: string) =>
        /^SCAN (?!.*(USING|VIRTUAL|CONSTANT|VALUES))/.test(step) &&
        !smallTables.includes(resolveTable(step, sql)) &&
        !isAuditPage &&
        !isForeignKeyCheck &&
        !isSubquery(step)
      return steps.filter(isFullScan).map((step) => `${step}: ${sql}`)
    })
    expect(found).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Resolves the alias that a step uses for a table. */
function resolveTable(step: string, sql: string): string {
  const [, name = ''] = /^SCAN (\w+)/.exec(step) ?? []
  return new RegExp(`"(\\w+)" as "${name}"`).exec(sql)?.[1] ?? name
}
