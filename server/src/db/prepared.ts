import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './database.ts'

/** Stands for a value that is not known yet. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A question that is asked with every request, put into words once: to build one costs several times what SQLite takes to answer it.
 * `build` is called with placeholders instead of values, so it may only pass them on, and ask which of them are undefined.
 */
export function prepared<Args extends object, Row>(build: (db: Db, args: Args) => { compile(): CompiledQuery<Row> }) {
  /** By the adapter, because PostgreSQL wants other words than SQLite, and by which values there are. */
  const known = new WeakMap<object, Map<string, CompiledQuery<Row>>>()
  return (db: Db, args: Args): Promise<QueryResult<Row>> => {
    const { adapter } = db.getExecutor()
    const values = args as Record<string, unknown>
    let shape = ''
    for (const name in values) if (values[name] !== undefined) shape += `${name} `
    const queries = known.get(adapter) ?? new Map<string, CompiledQuery<Row>>()
    const query = queries.get(shape) ?? build(db, slotsFor(values) as Args).compile()
    queries.set(shape, query)
    known.set(adapter, queries)
    const parameters = query.parameters.map((value) => (value instanceof Slot ? values[value.name] : value))
    return db.executeQuery<Row>({ ...query, parameters })
  }
}

const slotsFor = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === undefined ? undefined : new Slot(name)]))
