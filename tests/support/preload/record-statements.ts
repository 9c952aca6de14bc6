import { appendFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Loaded into a server by `--import`: writes each distinct SQL statement as a line of JSON to the file `NEPTUNE_STATEMENTS`. */
const file = process.env['NEPTUNE_STATEMENTS'] ?? ''
const recorded = new Set<string>()
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
  const [sql] = args
  if (!recorded.has(sql)) appendFileSync(file, `${JSON.stringify(sql)}\n`)
  recorded.add(sql)
  return prepare.apply(this, args)
}
