import 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL server to make databases on; empty for SQLite. */
    postgresUrl: string
  }
}
