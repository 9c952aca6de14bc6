import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db } from '../database.ts'

/** A placeholder for a value that is passed at execution. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Returns a query that is compiled once and executed many times. For queries that run in every request: building one takes several times longer than
 * SQLite takes to run it. `build` gets placeholders instead of values, so it may only pass them on and check which are undefined.
 */
export function prepareQuery<Args extends object, Row>(build: (db: Db, args: Args) => { compile(): CompiledQuery<Row> }) {
  /** By adapter, because the SQL differs between PostgreSQL and SQLite, and by which values are defined. */
  const compiled = new WeakMap<object, Map<string, CompiledQuery<Row>>>()
  return (db: Db, args: Args): Promise<QueryResult<Row>> => {
    const { adapter } = db.getExecutor()
    const values = args as Record<string, unknown>
    let shape = ''
    for (const name in values) if (values[name] !== undefined) shape += `${name} `
    const queries = compiled.get(adapter) ?? new Map<string, CompiledQuery<Row>>()
    const query = queries.get(shape) ?? build(db, createPlaceholders(values) as Args).compile()
    queries.set(shape, query)
    compiled.set(adapter, queries)
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value))
    return db.executeQuery<Row>({ ...query, parameters })
  }
}

const createPlaceholders = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === undefined ? undefined : new Placeholder(name)]),
  )
