import { appendFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Loaded into a Neptune by `--import`: writes what it asks of SQLite, each question once, as a line of JSON to the file `NEPTUNE_STATEMENTS`. */
const file = process.env['NEPTUNE_STATEMENTS'] ?? ''
const known = new Set<string>()
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given: Parameters<typeof prepare>) {
  const [sql] = given
  if (!known.has(sql)) appendFileSync(file, `${JSON.stringify(sql)}\n`)
  known.add(sql)
  return prepare.apply(this, given)
}
