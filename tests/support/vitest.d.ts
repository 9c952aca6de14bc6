import 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a PostgreSQL server to create databases on; empty for SQLite. */
    postgresUrl: string
    /** The settings of an object store, and of a second one that supports conditional writes. */
    s3: Record<string, string>
    smallS3: Record<string, string>
  }
}
